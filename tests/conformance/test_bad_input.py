"""What reaches an adapter is not always what an agent meant to print. Whatever it is: the right
turn comes out, or `incomplete`; what could not be read is counted; nothing raises (T3, T4).
"""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.adapters.hearing import Hearing
from turnreel.adapters import registry
from turnreel.adapters.arrivals import raw_arrival
from turnreel.adapters.base import Edge, Frame
from turnreel.conformance.scenarios import required
from turnreel.conformance.scenarios.playing import AGENT, arrivals, raws
from turnreel.lifecycle.fold import RunView, fold
from turnreel.sanitizers import Profile, Raw, Sanitizer
from turnreel.wire.encode import encode
from turnreel.wire.ndjson import LineFramer
from turnreel.wire.sse import SseFramer
from turnreel.wire.units import Unit

SCENARIO = required()[0]
ANSWER = "The total is **76**."
LINES = ("codex-app-server", "codex-exec", "hermes-tui", "hermes-acp", "claude-stream-json")
STREAMS = ("hermes-session", "hermes-runs", "hermes-chat", "hermes-responses")
Pieces = list[bytes]
Damage = Callable[[Pieces], Pieces]


def test_every_dialect_of_an_agent_is_tried() -> None:
    agents = {d for d in registry.dialects() if registry.adapter(d).info.tier != "provider"}
    assert agents == {*LINES, *STREAMS}


def printed(dialect: str) -> Pieces:
    """What the agent prints in the scenario, frame by frame."""
    return [
        encode(raw.body)
        for raw in raws(dialect, SCENARIO.script)
        if raw.code in ("out", "data") and not isinstance(raw.body, dict)
    ]


def hear(dialect: str, pieces: Pieces) -> Hearing:
    """The scenario with `pieces` in place of what the agent prints, in the places where it did."""
    heard = Hearing(dialect)
    framer = SseFramer() if dialect in STREAMS else LineFramer()
    left, places = list(pieces), sum(_is_printed(raw) for raw in raws(dialect, SCENARIO.script))
    for raw in raws(dialect, SCENARIO.script):
        if not _is_printed(raw):
            if raw.code in ("exit", "end"):
                _tell(heard, [unit for piece in left for unit in framer.feed(piece)])
                _tell(heard, framer.close())
                left = []
            _edge(heard, raw)
            continue
        share = max(1, len(left) - places + 1) if left else 0
        places -= 1
        _tell(heard, [unit for piece in left[:share] for unit in framer.feed(piece)])
        left = left[share:]
    return heard


def _is_printed(raw: Raw) -> bool:
    return raw.code in ("out", "data") and raw.track == AGENT


def _tell(heard: Hearing, units: list[Unit]) -> None:
    code = "data" if heard.dialect in STREAMS else "out"
    for unit in units:
        heard.frame(code, unit, 1 if code == "data" else None)


def _edge(heard: Hearing, raw: Raw) -> None:
    one = raw_arrival(len(heard.arrivals), raw)
    match one:
        case Frame(code=code, unit=unit, exchange=exchange):
            heard.frame(code, unit, exchange)
        case Edge(signal=signal):
            heard.edge(signal)
        case _:
            pass


def view(heard: Hearing) -> RunView:
    (only,) = fold(heard.events)
    return only


def is_right(heard: Hearing) -> bool:
    """Whether the turn is the one that an undamaged stream gives."""
    whole = Hearing(heard.dialect)
    for one in arrivals(heard.dialect, SCENARIO.script):
        whole.again(one)
    (right,), (told,) = fold(whole.events), fold(heard.events)
    return right.entries == told.entries and right.terminal == told.terminal


def is_sound(heard: Hearing) -> bool:
    """Whether no answer was made up: the right one, or a failure that says why there is none."""
    end = view(heard).terminal
    assert end is not None
    if end.type == "final":
        return end.text == ANSWER
    return end.type == "failed" and end.code in ("incomplete", "missing_final", "startup")


def between(noise: bytes) -> Damage:
    """`noise` after every frame."""
    return lambda pieces: [part for piece in pieces for part in (piece, noise)]


def lines(text: str) -> bytes:
    return f"{text}\n".encode()


LONG = "x" * (1 << 20)
STRANGE: dict[str, bytes] = {
    "log noise": lines("2026-11-30T10:00:00Z  WARN agent: still working"),
    "an empty line": b"\n",
    "another dialect": lines('{"type":"assistant","message":{"id":"m","content":"Hi."}}'),
    "another dialect's success": lines('{"type":"result","subtype":"success","result":"No."}'),
    "a method nobody knows": lines('{"method":"turn/blessed","params":{"text":"No."}}'),
    "a type nobody knows": lines('{"type":"turn.blessed","text":"No."}'),
    "a type that is a number": lines('{"type":7,"method":7,"params":7}'),
    "ids that are numbers": lines('{"id":1.5,"method":1,"item":{"id":2,"type":3}}'),
    "an array": lines('["turn.completed"]'),
    "a string": lines('"turn.completed"'),
    "a lone surrogate": lines('{"type":"item","text":"\\ud800"}'),
    "a deep object": lines('{"a":' * 200 + "1" + "}" * 200),
    "NUL bytes": b"\x00\x00\x00\n",
    "NUL in a string": lines('{"type":"turn.blessed","text":"a\\u0000b"}'),
    "bytes that are no UTF-8": b"\xff\xfe\xfa\n",
    "UTF-16": '{"type":"turn.completed"}'.encode("utf-16") + b"\n",
    "half an object": lines('{"type":"turn.compl'),
    "a control code": b"\x1b[2K\x1b[1G\n",
}

DAMAGED = ("half an object", "bytes that are no UTF-8", "UTF-16")
"""Lines that may have been frames: where place alone tells the answer, there is none."""


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize("dialect", LINES)
def test_strange_lines_between_frames_move_nothing(dialect: str, name: str) -> None:
    if dialect == "claude-stream-json" and name.startswith("another dialect"):
        noise = lines('{"type":"turn.completed","usage":{}}')
    else:
        noise = STRANGE[name]
    heard = hear(dialect, between(noise)(printed(dialect)))
    positional = registry.adapter(dialect).info.tier == "secondary"
    assert is_right(heard) or (name in DAMAGED and positional and is_sound(heard))
    whole = hear(dialect, printed(dialect))
    assert heard.noted != whole.noted or name == "an empty line"


@pytest.mark.parametrize("dialect", LINES)
def test_a_line_of_a_mebibyte_that_nobody_knows_moves_nothing(dialect: str) -> None:
    noise = lines(json.dumps({"type": "turn.blessed", "text": LONG}))
    pieces = printed(dialect)
    assert is_right(hear(dialect, [*pieces[:1], noise, lines(LONG), *pieces[1:]]))


@pytest.mark.parametrize("dialect", LINES)
def test_a_text_of_a_mebibyte_is_read_whole(dialect: str) -> None:
    pieces = printed(dialect)
    wide = b'"jsonrpc":"2.0",' if dialect.startswith("hermes") else b""
    padded = [b"{" + wide + b'"pad":"' + LONG.encode() + b'",' + piece[1:] for piece in pieces[:3]]
    assert is_right(hear(dialect, [*padded, *pieces[3:]]))


@pytest.mark.parametrize("dialect", LINES)
def test_two_objects_on_one_line_are_counted_and_make_no_answer(dialect: str) -> None:
    pieces = printed(dialect)
    for at in range(len(pieces) - 1):
        joined = pieces[at].rstrip(b"\n") + pieces[at + 1]
        heard = hear(dialect, [*pieces[:at], joined, *pieces[at + 2 :]])
        assert is_sound(heard), at
        assert heard.noted, at


@pytest.mark.parametrize("dialect", LINES)
def test_half_a_line_at_the_end_decides_nothing(dialect: str) -> None:
    pieces = printed(dialect)
    last = pieces[-1].rstrip(b"\n")
    for cut in (1, len(last) // 2, len(last) - 1):
        heard = hear(dialect, [*pieces[:-1], last[:cut]])
        end = view(heard).terminal
        assert end is not None
        assert (end.type, end.code) == ("failed", "incomplete")
    assert is_right(hear(dialect, [*pieces[:-1], last])), "only the line's end is missing"


@pytest.mark.parametrize("dialect", LINES)
def test_windows_line_ends_change_nothing(dialect: str) -> None:
    assert is_right(hear(dialect, [piece.replace(b"\n", b"\r\n") for piece in printed(dialect)]))


@pytest.mark.parametrize("dialect", [*LINES, *STREAMS])
def test_a_stream_in_utf_16_is_no_turn(dialect: str) -> None:
    pieces = [piece.decode().encode("utf-16-le") for piece in printed(dialect)]
    heard = hear(dialect, pieces)
    for run in fold(heard.events):
        assert run.terminal is not None
        assert run.terminal.code in ("startup", "incomplete")
    assert heard.noted or dialect in STREAMS


@pytest.mark.parametrize("dialect", [*LINES, *STREAMS])
def test_repeated_keys_are_one_key(dialect: str) -> None:
    """A frame whose last word repeats its first is that frame; nobody reads both."""
    twice = []
    for piece in printed(dialect):
        head, brace, tail = piece.partition(b"{")
        twice.append(head + brace + b'"type":"turn.blessed","event":"x",' + tail)
    assert is_sound(hear(dialect, twice))


@pytest.mark.parametrize("dialect", [*LINES, *STREAMS])
def test_ids_that_are_numbers_are_no_ids_and_nothing_raises(dialect: str) -> None:
    for word in (b"id", b"item_id", b"itemId", b"message_id", b"tool_id", b"toolCallId", b"run_id"):
        hurt = [_numbered(piece, word) for piece in printed(dialect)]
        for run in fold(hear(dialect, hurt).events):
            assert run.terminal is not None
            assert run.terminal.type != "final" or run.terminal.text == ANSWER


def _numbered(piece: bytes, word: bytes) -> bytes:
    before, found, after = piece.partition(b'"' + word + b'":"')
    return before + found[:-1] + b"7" + after[after.index(b'"') + 1 :] if found else piece


VERSIONS = {
    "claude-stream-json": (b"2.1.332", b"9.9.9"),
    "codex-app-server": (b"0.171.0", b"9.9.9"),
    "hermes-acp": (b"0.19.0", b"9.9.9"),
}


@pytest.mark.parametrize("dialect", VERSIONS)
def test_a_version_that_nobody_knows_is_read_by_its_features(dialect: str) -> None:
    old, new = VERSIONS[dialect]
    assert is_right(hear(dialect, [piece.replace(old, new) for piece in printed(dialect)]))


# Event streams


@pytest.mark.parametrize(
    "change",
    [
        lambda piece: piece.replace(b"\n", b"\r\n"),
        lambda piece: piece.replace(b"\n", b"\r"),
        lambda piece: b": a comment\n\n" + piece,
        lambda piece: b": keepalive\n" + piece,
        lambda piece: b"retry: 10\n" + piece,
        lambda piece: b"id: 7\n" + piece,
        lambda piece: piece.replace(b"data: ", b"data:"),
        lambda piece: b"vendor: x\n" + piece,
        lambda piece: b"data: nothing\n\n" + piece,
        lambda piece: b"data: [1, 2]\n\n" + piece,
        lambda piece: b'data: {"type":"x","event":"x"}\n\n' + piece,
        lambda piece: b"data: " + LONG.encode() + b"\n\n" + piece,
    ],
    ids=(
        "CRLF", "CR", "comments", "keepalives", "retry", "ids", "no space", "fields nobody knows",
        "prose", "arrays", "events nobody knows", "a mebibyte of prose",
    ),
)  # fmt: skip
@pytest.mark.parametrize("dialect", STREAMS)
def test_an_event_stream_may_be_written_in_any_way(
    dialect: str, change: Callable[[bytes], bytes]
) -> None:
    assert is_right(hear(dialect, [change(piece) for piece in printed(dialect)]))


@pytest.mark.parametrize("dialect", STREAMS)
def test_half_an_event_at_the_end_decides_nothing(dialect: str) -> None:
    pieces = [piece for piece in printed(dialect) if b"[DONE]" not in piece]
    last = -2 if dialect == "hermes-session" else -1
    heard = hear(dialect, [*pieces[:last], pieces[last][: len(pieces[last]) // 2]])
    end = view(heard).terminal
    assert end is not None
    assert (end.type, end.code) == ("failed", "incomplete")


@pytest.mark.parametrize("dialect", STREAMS)
def test_keepalives_alone_are_no_turn_that_ended(dialect: str) -> None:
    heard = hear(dialect, [b": keepalive\n\n"] * 40)
    end = view(heard).terminal
    assert end is not None
    assert end.code in ("startup", "incomplete")


# Other threads, other listeners

OTHER: dict[str, tuple[bytes, bytes]] = {
    "codex-app-server": (b"7000-8000-000000000001", b"7000-8000-00000000000f"),
    "hermes-tui": (b'"session_id":"00000001"', b'"session_id":"0000000f"'),
    "hermes-acp": (b"4000-8000-000000000001", b"4000-8000-00000000000f"),
    "hermes-runs": (b"run_" + b"0" * 31 + b"1", b"run_" + b"0" * 31 + b"f"),
}


@pytest.mark.parametrize("dialect", OTHER)
def test_an_interleaved_thread_moves_no_other(dialect: str) -> None:
    """The same turn of another thread, a frame behind: each tells its own."""
    old, new = OTHER[dialect]
    pieces = printed(dialect)
    foreign = [_foreign(piece.replace(old, new).replace(b"76", b"12")) for piece in pieces]
    woven = [piece for pair in zip(pieces, foreign, strict=True) for piece in pair]
    heard = hear(dialect, woven)
    finals = [run.terminal.text for run in fold(heard.events) if run.terminal is not None]
    assert finals.count(ANSWER) == 1
    told = next(run for run in fold(heard.events) if run.terminal and run.terminal.text == ANSWER)
    assert "12" not in repr(told)


def _foreign(piece: bytes) -> bytes:
    """Turn and item ids of another thread; JSON-RPC ids are the connection's."""
    for one in (b"00000001-0000", b"msg_0", b"call_0"):
        piece = piece.replace(one, one[:-1] + b"f")
    return piece


def test_a_stolen_stream_makes_no_answer_of_what_is_left() -> None:
    """Two listeners take events from each other: whatever one got, it invents no answer."""
    pieces = printed("hermes-runs")
    for mine in (pieces[0::2], pieces[1::2], pieces[::3]):
        heard = hear("hermes-runs", mine)
        end = view(heard).terminal
        assert end is not None
        assert end.type == "failed"


def test_a_run_that_is_listened_to_again_goes_on() -> None:
    """The stream breaks off; a second subscription brings the rest, or nothing but keepalives."""
    half = len(printed("hermes-runs")) // 2
    told = [one for one in arrivals("hermes-runs", SCENARIO.script) if isinstance(one, Frame)]
    data = [one for one in told if one.code == "data"]
    request = next(one for one in told if one.code == "request")
    path = request.unit.value["path"]  # type: ignore[index, call-overload, union-attr]
    again, silent = Hearing("hermes-runs"), Hearing("hermes-runs")
    for heard in (again, silent):
        heard.asks("GET", path, 1).status(200, 1)
        for one in data[:half]:
            heard.frame("data", one.unit, 1)
        heard.frame("cut", request.unit, 1).asks("GET", path, 2).status(200, 2)
    for one in data[half:]:
        again.frame("data", one.unit, 2)
    again.ends(2)
    silent.streams_text(": keepalive", 2).ends(2)
    assert is_right(again)
    assert view(silent).terminal is not None
    assert view(silent).terminal.code == "incomplete"  # type: ignore[union-attr]


@pytest.mark.parametrize("profile", ["fixture", "strict"])
@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize("dialect", LINES)
def test_sanitized_it_means_the_same(dialect: str, name: str, profile: Profile) -> None:
    """S6: what is left of a strange line moves the turn no more than the line did."""
    heard = hear(dialect, between(STRANGE[name])(printed(dialect)))
    sanitizer = Sanitizer({AGENT: registry.policy(dialect)}, profile)
    clean = Hearing(dialect)
    for one in heard.arrivals:
        if isinstance(one, Frame):
            raw = Raw(one.at_us, one.track, one.code, one.unit, one.exchange)
            for record in sanitizer.push(raw):
                assert not isinstance(record.body, dict)
                clean.frame(record.code, record.body, record.exchange)
        else:
            for record in sanitizer.flush():
                assert not isinstance(record.body, dict)
                clean.frame(record.code, record.body, record.exchange)
            clean.edge(one.signal)
    assert ending(clean) == ending(heard)
    assert len(view(clean).entries) == len(view(heard).entries)


def ending(heard: Hearing) -> tuple[object, ...]:
    """How the turn ended, without its text."""
    end = view(heard).terminal
    assert end is not None
    return end.type, end.code, end.confidence, end.health
