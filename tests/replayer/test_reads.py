"""Recorded reads, played: what one read brought comes as one chunk, when it came."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnreel.cassettes import Record
from turnreel.recorder.intake import Intake
from turnreel.recorder.messages import Chunk, Fact
from turnreel.replayer.compiling import CHUNKED, PLAIN, Batch, Move, compiled
from turnreel.replayer.exchanges import exchanges
from turnreel.replayer.faults import Plan
from turnreel.replayer.plan import make_plan
from turnreel.replayer.schedule import schedule
from turnreel.replayer.script import Exchange
from turnreel.wire.units import JsonUnit

P = "provider"
HEAD = {"status": 200, "headers": {"content-type": "text/event-stream"}}
FRAME = b'data: {"n":1}\n\n'
STEP_US = 1000


def recorded(*reads: bytes) -> Exchange:
    """The exchange that a recorder makes of these reads, a millisecond apart."""
    intake = Intake({})
    told = [Fact(0, P, "response", 1, dict(HEAD))]
    chunks = [Chunk(STEP_US * nth, P, "data", 1, read) for nth, read in enumerate(reads, 1)]
    records = [Record(1, 0, P, "response", dict(HEAD), {"n": 1})]
    for raw in [raw for message in (*told, *chunks) for raw in intake.take(message)][1:]:
        assert isinstance(raw.body, JsonUnit)
        sizes = {} if raw.reads is None else {"reads": list(raw.reads)}
        extra = {"n": 1, "sse": {}, **sizes}
        records.append(Record(len(records) + 1, raw.at_us, P, "data", raw.body.value, extra))
    end = STEP_US * (len(reads) + 1)
    records.append(Record(len(records) + 1, end, P, "end", {}, {"n": 1}))
    (exchange,) = exchanges(records, P, "anthropic-messages")
    return exchange


def played(exchange: Exchange, plan: Plan | None = None) -> tuple[Move, ...]:
    return compiled(schedule(exchange, plan or Plan()), CHUNKED)


def chunks(moves: Sequence[Move]) -> list[tuple[int, bytes]]:
    """Every chunk, and when it is due."""
    found = []
    for move in moves:
        rest = move.wire if isinstance(move, Batch) else b""
        while rest:
            size, _, rest = rest.partition(b"\r\n")
            length = int(size, 16)
            found.append((move.at_us, rest[:length]))
            assert rest[length : length + 2] == b"\r\n"
            rest = rest[length + 2 :]
    return found


def cut(body: bytes, sizes: Sequence[int]) -> list[bytes]:
    reads, at = [], 0
    for size in sizes:
        reads.append(body[at : at + size])
        at += size
    return [read for read in (*reads, body[at:]) if read]


@given(st.lists(st.integers(0, 999), min_size=1, max_size=12), st.lists(st.integers(1, 40)))
def test_a_read_is_a_chunk_and_comes_when_it_came(numbers: list[int], sizes: list[int]) -> None:
    """Of a read inside an event nobody wrote down the time: it comes with the event's end, later
    than it did and never earlier.
    """
    frames = [b'data: {"n":%d}\n\n' % number for number in numbers]
    reads = cut(b"".join(frames), sizes)
    came = chunks(played(recorded(*reads)))
    assert [data for _, data in came] == reads
    ends, at = set(), 0
    for frame in frames:
        at += len(frame)
        ends.add(at)
    at = 0
    for nth, (at_us, data) in enumerate(came, 1):
        completes = any(at < end <= at + len(data) for end in ends)
        assert at_us == STEP_US * nth if completes else at_us >= STEP_US * nth
        at += len(data)


@given(st.lists(st.integers(1, 40)), st.sampled_from(["max", "factor:0.5", "recorded"]))
def test_the_pace_changes_no_read(sizes: list[int], pacing: str) -> None:
    reads = cut(FRAME * 8, sizes)
    moves = played(recorded(*reads), make_plan([], pacing=pacing))
    assert [data for _, data in chunks(moves)] == reads


def test_a_read_that_ends_inside_an_event_is_a_write_of_its_own() -> None:
    exchange = recorded(FRAME[:4], FRAME[4:9], FRAME[9:] + FRAME, FRAME)
    batches = [move for move in played(exchange) if isinstance(move, Batch)]
    assert [(batch.at_us, len(batch.writes)) for batch in batches] == [(3000, 3), (4000, 0)]
    assert b"".join(batches[0].pieces) == batches[0].wire
    plain = compiled(schedule(exchange, Plan()), PLAIN)
    assert [bytes(piece) for move in plain if isinstance(move, Batch) for piece in move.pieces] == [
        FRAME[:4],
        FRAME[4:9],
        FRAME[9:] + FRAME,
        FRAME,
    ]


@pytest.mark.parametrize(
    ("spec", "body"),
    [
        ("drop@event=2", FRAME * 2),
        ("duplicate@event=1", FRAME * 4),
        ("reorder,by=1@event=1", FRAME * 3),
        ("stall:1@event=1", FRAME * 3),
        ("cut:clean@event=1", FRAME),
        ("cut:clean@byte=17", (FRAME * 3)[:17]),
        ("reslice:7", FRAME * 3),
        ("drip:5,gap=1", FRAME * 3),
        ("replay@event=2", FRAME * 5),
    ],
)
def test_a_fault_has_its_exact_byte_and_nothing_comes_before_its_time(
    spec: str, body: bytes
) -> None:
    """Where events share a read, a fault between them divides it."""
    exchange = recorded(FRAME + FRAME[:6], FRAME[6:] + FRAME[:2], FRAME[2:])
    came = chunks(played(exchange, make_plan([spec])))
    assert b"".join(data for _, data in came) == body
    times = [at_us for at_us, _ in came]
    assert times == sorted(times)
    if spec.startswith("stall"):
        assert came[0] == (1000, FRAME)
        assert min(times[1:]) >= 1_001_000


@pytest.mark.parametrize(
    ("specs", "torn"),
    [
        ([], False),
        (["stall:1@byte=20"], True),  # the silence is inside the second event
        (["stall:1@event=1"], False),
        (["drip:5,gap=1@event=2"], True),
        (["reslice:7", "stall:1@byte=28"], True),
        (["reslice:15", "stall:1@byte=30"], False),
    ],
)
def test_a_batch_says_whether_it_ends_inside_an_event(specs: list[str], torn: bool) -> None:
    """Whoever divides it: what was recorded, a silence, a drip or slices."""
    moves = played(recorded(FRAME, FRAME, FRAME), make_plan(specs))
    batches = [move for move in moves if isinstance(move, Batch)]
    assert any(batch.torn for batch in batches) is torn
    assert not batches[-1].torn
    at, ends = 0, {len(FRAME), 2 * len(FRAME), 3 * len(FRAME)}
    for batch in batches:
        at += batch.size
        assert batch.torn is (at not in ends)


@pytest.mark.parametrize("reads", [[99], [-1, 16], [14, 2]])
def test_reads_that_cannot_be_the_units_are_not_believed(reads: list[int]) -> None:
    extra = {"n": 1, "sse": {}, "reads": reads}
    record = Record(1, 0, P, "data", {"n": 1}, extra)
    (exchange,) = exchanges([record], P, "anthropic-messages")
    assert (exchange.events[0].slices, exchange.events[0].joined) == ((), False)


def test_a_read_of_which_redaction_left_nothing_is_none() -> None:
    record = Record(1, 0, P, "data", {"n": 1}, {"n": 1, "sse": {}, "reads": [4, 0, 11]})
    (exchange,) = exchanges([record], P, "anthropic-messages")
    assert exchange.events[0].slices == (4, 11)
