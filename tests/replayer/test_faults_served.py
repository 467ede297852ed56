"""Every fault that a server plays, seen on raw sockets, for every provider's dialect."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest

from tests.replayer.streams import PROVIDERS, exchange
from turnreel.replayer.client import fetch
from turnreel.replayer.faults import WORDS
from turnreel.replayer.plan import make_plan, parse_fault
from turnreel.replayer.server import Server, serving
from turnreel.replayer.tape import ProviderScript, Tape
from turnreel.wire.sse import SseFramer
from turnreel.wire.units import JsonUnit

ASKED = b'{"stream":true}'


@dataclass(frozen=True)
class Seen:
    """What a client got: the wire behind the head, in the pieces in which it came, and how it
    ended.
    """

    status: int
    wire: bytes
    pieces: tuple[tuple[float, bytes], ...]
    end: str

    @property
    def chunks(self) -> list[bytes]:
        """The chunks, as far as they came; a last one may be short."""
        found, left = [], self.wire
        while head := re.match(rb"([0-9a-f]+)\r\n", left):
            size = int(head[1], 16)
            found.append(left[head.end() : head.end() + size])
            left = left[head.end() + size + 2 :]
        return found

    @property
    def body(self) -> bytes:
        """The decoded body."""
        return b"".join(self.chunks)

    @property
    def complete(self) -> bool:
        """Whether the body ended as chunked bodies do."""
        return self.wire.endswith(b"\r\n0\r\n\r\n")


async def look(server: Server, path: str, still: int | None = None) -> Seen:
    """One request on a raw socket, read to its end; or, where nothing ends it, until nothing came
    for a moment after `still` bytes of wire.
    """
    loop = asyncio.get_running_loop()
    port = int(server.url.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    begun = loop.time()
    head = f"POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n"
    writer.write(f"{head}content-length: {len(ASKED)}\r\n\r\n".encode() + ASKED)
    pieces: list[tuple[float, bytes]] = []
    end = "fin"
    status = 0
    try:
        status = int((await reader.readuntil(b"\r\n\r\n")).split(b" ")[1])
        while True:
            patience = 0.3 if still is not None and sum(len(p) for _, p in pieces) >= still else 9
            async with asyncio.timeout(patience):
                piece = await reader.read(1 << 16)
            if not piece:
                break
            pieces.append((loop.time() - begun, piece))
    except ConnectionResetError:
        end = "reset"
    except asyncio.IncompleteReadError as short:
        assert short.partial == b""
    except TimeoutError:
        end = "open"
    if end == "fin":  # whether the other side still takes what is sent
        await asyncio.sleep(0.05)
        try:
            writer.write(b"still here")
            await writer.drain()
            await asyncio.sleep(0.05)
            writer.write(b"still here")
            await writer.drain()
        except ConnectionError:
            end = "closed"
    writer.close()
    return Seen(status, b"".join(p for _, p in pieces), tuple(pieces), end)


def recorded(dialect: str) -> list[bytes]:
    return [event.data for event in exchange(dialect).events]


def played(dialect: str, spec: str, still: int | None = None, times: int = 1) -> list[Seen]:
    """What clients see one after the other under one fault, which must have fired."""
    tape = Tape("t", providers=(ProviderScript("provider", dialect, (exchange(dialect),)),))

    async def run() -> list[Seen]:
        plan = make_plan([spec], pacing="max")
        async with serving(tape, plan, patience_s=2) as server:
            seen = [await look(server, exchange(dialect).path, still) for _ in range(times)]
            await asyncio.sleep(0)
        counts = server.report().faults
        assert [(count.planned, count.fired) for count in counts] == [
            (count.planned, count.planned) for count in counts
        ]
        return seen

    return asyncio.run(run())


def values(body: bytes) -> list[Any]:
    framer = SseFramer()
    units = [*framer.feed(body), *framer.close()]
    return [unit.value if isinstance(unit, JsonUnit) else unit for unit in units]


def short(seen: Seen, body: bytes) -> None:
    assert (seen.body, seen.complete) == (body, False)


def whole(seen: Seen, events: list[bytes]) -> None:
    assert seen.body == b"".join(events)
    assert seen.complete


Check = Callable[[Seen, list[bytes]], None]


def cut_clean(seen: Seen, events: list[bytes]) -> None:
    short(seen, b"".join(events[:3]))
    assert seen.wire.endswith(b"\r\n")
    assert seen.end == "closed"


def cut_chunk(seen: Seen, events: list[bytes]) -> None:
    short(seen, b"".join(events[:3]))
    assert not seen.wire.endswith(b"\r\n")
    promised = int(re.findall(rb"(?:^|\r\n)([0-9a-f]+)\r\n", seen.wire)[-1], 16)
    assert promised == len(seen.chunks[-1]) + len(events[3])


def cut_reset(seen: Seen, events: list[bytes]) -> None:
    short(seen, b"".join(events)[:200])
    assert seen.end == "reset"


def truncated(seen: Seen, events: list[bytes]) -> None:
    before = b"".join(events[:3])
    assert len(before) < len(seen.body) < len(before) + len(events[3])
    short(seen, b"".join(events)[: len(seen.body)])
    seen.body.decode()


def in_character(seen: Seen, events: list[bytes]) -> None:
    short(seen, b"".join(events)[: len(seen.body)])
    with pytest.raises(UnicodeDecodeError, match="unexpected end of data"):
        seen.body.decode()


def gap(seen: Seen, events: list[bytes], before: bytes) -> None:
    """A silence of 0.3 s behind `before`."""
    whole(seen, events)
    came = b""
    for (_, piece), (at, _) in pairwise([(0.0, b""), *seen.pieces]):
        came += piece
        if at >= 0.3:
            break
    assert b"".join(re.findall(rb"[0-9a-f]+\r\n(.*?)\r\n(?=[0-9a-f]+\r\n|$)", came, re.S)) == before


def stalled(seen: Seen, events: list[bytes]) -> None:
    gap(seen, events, b"".join(events[:3]))


def delayed(seen: Seen, events: list[bytes]) -> None:
    gap(seen, events, b"")


def hanging(seen: Seen, events: list[bytes]) -> None:
    short(seen, b"".join(events[:3]))
    assert seen.end == "open"


def dripped(seen: Seen, events: list[bytes]) -> None:
    whole(seen, events)
    assert seen.chunks[3 : 3 + len(events[3])] == [bytes([byte]) for byte in events[3]]


def resliced(seen: Seen, events: list[bytes]) -> None:
    whole(seen, events)
    sizes = [len(chunk) for chunk in seen.chunks[:-1]]
    assert set(sizes[:-1]) == {7} and 0 < sizes[-1] <= 7


def half_closed(seen: Seen, events: list[bytes]) -> None:
    short(seen, b"".join(events[:3]))
    assert seen.end == "fin"


def order(*numbers: int) -> Check:
    """The recorded events with these numbers, the rest as recorded."""

    def check(seen: Seen, events: list[bytes]) -> None:
        rest = [events[number - 1] for number in numbers]
        whole(seen, rest + events[max(numbers) :])

    return check


def late(seen: Seen, events: list[bytes]) -> None:
    whole(seen, [*events[:2], *events[3:], events[2]])


def inserted(at: int, count: int, said: bytes) -> Check:
    """`count` events that were never recorded behind event `at`, which say `said`."""

    def check(seen: Seen, events: list[bytes]) -> None:
        at_end = len(events) if at < 0 else at
        before, after = b"".join(events[:at_end]), b"".join(events[at_end:])
        assert seen.complete
        assert seen.body.startswith(before) and seen.body.endswith(after)
        extra = seen.body[len(before) : len(seen.body) - len(after)]
        assert extra.count(b"\n\n") >= count
        assert re.search(said, extra)

    return check


def missing(seen: Seen, events: list[bytes]) -> None:
    assert seen.complete
    assert b"".join(events).startswith(seen.body)
    assert not re.search(rb"message_stop|response\.completed|DONE|finish_reason\":\"", seen.body)


def malformed(seen: Seen, events: list[bytes]) -> None:
    before, after = b"".join(events[:2]), b"".join(events[3:])
    assert seen.complete
    assert seen.body.startswith(before) and seen.body.endswith(after)
    torn = seen.body[len(before) : len(seen.body) - len(after)]
    assert torn.endswith(b"\n\n") and torn.count(b"\n\n") == 1
    with pytest.raises(json.JSONDecodeError):
        json.loads(torn.partition(b"data: ")[2])


def changed_id(seen: Seen, events: list[bytes]) -> None:
    assert seen.complete
    assert seen.body.endswith(b"".join(events[1:]))
    assert b"-other" in seen.body
    assert seen.body.replace(b"-other", b"") == b"".join(events)


def retried(seen: Seen, events: list[bytes]) -> None:
    before = b"".join(events[:3])
    assert seen.complete
    assert seen.body.startswith(before)
    told = values(seen.body[len(before) :])
    assert len(told) == 1 and re.search("error", json.dumps(told))


TERMINAL = rb"message_stop|response\.completed|finish_reason\":\"stop"
OTHERWISE = rb"refusal|response\.failed|content_filter"
CASES: dict[str, tuple[Check, int | None]] = {
    "cut:clean@event=3": (cut_clean, None),
    "cut:chunk@event=3": (cut_chunk, None),
    "cut:reset@byte=200": (cut_reset, None),
    "truncate@event=4": (truncated, None),
    "truncate:character@event=1": (in_character, None),
    "stall:0.3@event=3": (stalled, None),
    "delay:0.3": (delayed, None),
    "delay:0.3@event=3": (stalled, None),
    "hang@event=3": (hanging, 1),
    "drip:1,gap=0@event=4": (dripped, None),
    "reslice:7": (resliced, None),
    "half-close@event=3": (half_closed, None),
    "drop@event=3": (order(1, 2, 4), None),
    "duplicate@event=3": (order(1, 2, 3, 3), None),
    "reorder,by=2@event=3": (order(1, 2, 4, 5, 3), None),
    "late@event=3": (late, None),
    "replay@event=3": (order(1, 2, 3, 1, 2, 3), None),
    "second-terminal": (inserted(-1, 1, TERMINAL), None),
    "conflicting-terminal": (inserted(-1, 1, OTHERWISE), None),
    "success-then-error": (inserted(-1, 1, rb"error"), None),
    "missing-terminal": (missing, None),
    "unknown@event=3": (inserted(3, 1, rb"turnreel.unknown"), None),
    "ping-storm:100@event=3": (inserted(3, 100, rb"ping|: keep-alive"), None),
    "malformed@event=3": (malformed, None),
    "changed-id@event=1": (changed_id, None),
    "native-retry@event=3": (retried, None),
}


@pytest.mark.parametrize("spec", CASES)
@pytest.mark.parametrize("dialect", PROVIDERS)
def test_a_fault_is_seen_on_the_wire(dialect: str, spec: str) -> None:
    check, still = CASES[spec]
    [seen] = played(dialect, spec, still)
    assert seen.status == 200
    check(seen, recorded(dialect))


@pytest.mark.parametrize("dialect", PROVIDERS)
def test_a_refusal_is_a_reset_before_one_byte(dialect: str) -> None:
    refused, again, answered = played(dialect, "refuse,times=2", times=3)
    assert (refused.status, refused.wire, refused.end) == (0, b"", "reset")
    assert again == refused
    whole(answered, recorded(dialect))


@pytest.mark.parametrize("dialect", PROVIDERS)
def test_an_error_status_is_the_providers(dialect: str) -> None:
    refused, answered = played(dialect, "status:429,retry-after=1", times=2)
    assert refused.status == 429
    assert "rate_limit" in json.dumps(json.loads(refused.wire)["error"])
    whole(answered, recorded(dialect))


@pytest.mark.parametrize("dialect", PROVIDERS)
def test_whoever_asks_again_after_a_native_retry_gets_the_attempt(dialect: str) -> None:
    failed, answered = played(dialect, "native-retry@event=3", times=2)
    retried(failed, recorded(dialect))
    whole(answered, recorded(dialect))


def test_no_fault_of_a_server_is_left_out() -> None:
    """`close` is a WebSocket's, and shown where its frames are written."""
    shown = {type(parse_fault(spec)) for spec in (*CASES, "refuse", "status:429")}
    wanted = {word.fault for word in WORDS if "server" in word.sides and word.name != "close"}
    assert shown == wanted


def test_200_clients_at_once_each_get_their_exact_bytes() -> None:
    """One sample of exactness under load: every client's own exchange is reset at its own byte."""
    count = 200
    one = exchange("anthropic-messages")
    body = b"".join(event.data for event in one.events)
    script = ProviderScript(
        "provider", one.dialect, tuple(exchange(one.dialect, n) for n in range(1, count + 1))
    )
    places = {n: (37 * n) % len(body) for n in range(1, count + 1)}
    specs = [f"cut:reset@exchange={n},byte={byte}" for n, byte in places.items()]

    async def run() -> list[tuple[bytes, str]]:
        async with serving(
            Tape("t", providers=(script,)), make_plan(specs, pacing="max")
        ) as server:
            asked = [
                fetch(server.url, one.path, headers={"x-turnreel-exchange": str(n)}, body=ASKED)
                for n in places
            ]
            got = await asyncio.gather(*asked)
            assert {served.unflushed for served in server.report().served} == {0}
            return [(fetched.body, fetched.ended) for fetched in got]

    got = asyncio.run(run())
    assert got == [(body[:byte], "reset") for byte in places.values()]
