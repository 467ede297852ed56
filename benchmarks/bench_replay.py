"""What serving a recording costs, against a raw asyncio server that sends the same bytes.

Both servers run in processes of their own, one after the other in each round; this process is the
crowd of clients. Raw means: no HTTP parsing, no matching, no schedule, only prepared bytes.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from turnreel.replayer.faults import MAX, RECORDED, Plan
from turnreel.replayer.matching import EXCHANGE_HEADER
from turnreel.replayer.script import Event, Exchange, Finished, Response
from turnreel.replayer.tape import ProviderScript, Tape
from turnreel.wire.encode import encode
from turnreel.wire.units import JsonUnit, SseFraming

from .figures import Figure, at_least, at_most

FAST_EVENTS: Final = 2_000
FAST_CLIENTS: Final = 100
PACED_EVENTS: Final = 100
PACED_CLIENTS: Final = 1_000
GAP_US: Final = 20_000
ROUNDS: Final = 3

DELTA: Final = {"type": "text_delta", "text": "w" * 200}
UNIT: Final = JsonUnit(
    {"type": "content_block_delta", "index": 0, "delta": DELTA},
    SseFraming(event="content_block_delta"),
)
EVENT: Final = encode(UNIT)
FRAME: Final = b"%x\r\n%b\r\n" % (len(EVENT), EVENT)
HEAD: Final = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
)
TAIL: Final = b"0\r\n\r\n"


def measure() -> Iterator[Figure]:
    """Events per second of the server's processor time at full speed; lateness when paced."""
    raw, ours = [], []
    with server("raw", "max") as plain, server("ours", "max") as replay:
        for round_ in range(ROUNDS + 1):
            for target, rates in ((plain, raw), (replay, ours)):
                rate = asyncio.run(at_full_speed(target))
                rates += [rate] if round_ else []
    yield Figure(
        "events a second of processor time, full speed",
        statistics.median(ours) / statistics.median(raw),
        "x",
        at_least(0.5, 0.8),
        f"raw asyncio server, {statistics.median(raw) / 1000:.0f}k/s",
    )
    raw, ours = [], []
    with server("raw", "recorded") as plain, server("ours", "recorded") as replay:
        for _ in range(ROUNDS):
            raw.append(asyncio.run(lateness(plain)))
            ours.append(asyncio.run(lateness(replay)))
    yield Figure(
        "p99 lateness, 1,000 streams of 50 events a second",
        statistics.median(ours) / statistics.median(raw),
        "x",
        at_most(2.5, 1.5),
        f"raw asyncio server, {statistics.median(raw) * 1000:.1f} ms",
    )


class Target:
    """A server in its own process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.pid = process.pid
        self.port = int(self._said())

    def processor_seconds(self) -> float:
        """What it has used until now."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return float(self._said())

    def _said(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


@contextmanager
def server(kind: str, pacing: str) -> Iterator[Target]:
    """A server until the block ends: raw, ours, or ours of the cassette at a path."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.bench_replay", kind, pacing],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        try:
            yield Target(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()


class Client(asyncio.Protocol):
    """Asks once and notes when each event came."""

    def __init__(self, done: asyncio.Future[None]) -> None:
        self._done = done
        self._rest = b""
        self.came: list[float] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        transport.write(
            b"POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n"
            + f"{EXCHANGE_HEADER}: 1\r\n\r\n{{}}".encode()
        )

    def data_received(self, data: bytes) -> None:
        data = self._rest + data
        self.came += [time.monotonic()] * data.count(b"\n\n")
        if data.endswith(TAIL):
            self._transport.close()
        self._rest = data[-1:] if data.endswith(b"\n") and not data.endswith(b"\n\n") else b""

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._done.done():
            self._done.set_result(None)


async def crowd(port: int, size: int) -> list[Client]:
    """So many clients at once, each until its answer is whole."""
    loop = asyncio.get_running_loop()
    waits, clients = [], []
    for _ in range(size):
        done = loop.create_future()
        _, client = await loop.create_connection(lambda done=done: Client(done), "127.0.0.1", port)
        waits.append(done)
        clients.append(client)
    await asyncio.gather(*waits)
    return clients


async def at_full_speed(target: Target) -> float:
    """Events per second of the server's processor time."""
    before = target.processor_seconds()
    clients = await crowd(target.port, FAST_CLIENTS)
    spent = target.processor_seconds() - before
    assert all(len(client.came) == FAST_EVENTS for client in clients)
    return FAST_CLIENTS * FAST_EVENTS / spent


async def lateness(target: Target) -> float:
    """The 99th percentile of how late events come, in seconds. Each stream's own earliest event
    is its zero: what a connection costs before the first byte is not pacing.
    """
    clients = await crowd(target.port, PACED_CLIENTS)
    late: list[float] = []
    for client in clients:
        offsets = [came - n * GAP_US / 1e6 for n, came in enumerate(client.came)]
        assert len(offsets) == PACED_EVENTS
        late += [offset - min(offsets) for offset in offsets]
    return statistics.quantiles(late, n=100)[98]


class RawServer(asyncio.Protocol):
    """Sends prepared bytes: all at once in batches of 32, or one event each `GAP_US`."""

    paced = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        self._sent = 0
        self._open = True

    def data_received(self, data: bytes) -> None:
        self._transport.write(HEAD)
        if self.paced:
            self._loop = asyncio.get_running_loop()
            self._begun = self._loop.time()
            self._loop.call_at(self._begun + GAP_US / 1e6, self._tick)
        else:
            self._pour()

    def _pour(self) -> None:
        batch = b"".join([FRAME] * 32)
        while self._open and self._sent < FAST_EVENTS:
            count = min(32, FAST_EVENTS - self._sent)
            self._transport.write(batch if count == 32 else FRAME * count)
            self._sent += count
        if self._sent == FAST_EVENTS:
            self._sent += 1
            self._transport.write(TAIL)

    def _tick(self) -> None:
        self._transport.write(FRAME)
        self._sent += 1
        if self._sent == PACED_EVENTS:
            self._transport.write(TAIL)
        else:
            self._loop.call_at(self._begun + (self._sent + 1) * GAP_US / 1e6, self._tick)

    def pause_writing(self) -> None:
        self._open = False

    def resume_writing(self) -> None:
        self._open = True
        self._pour()


def tape(events: int) -> Tape:
    """A recording of one long answer."""
    made = tuple(Event(n, n * GAP_US, EVENT, UNIT) for n in range(1, events + 1))
    head = Response(0, 200, (("content-type", "text/event-stream"),))
    exchange = Exchange(
        number=1,
        track="provider",
        dialect="anthropic-messages",
        method="POST",
        path="/v1/messages",
        features=None,
        asked_us=0,
        response=head,
        events=made,
        end=Finished(events * GAP_US),
    )
    return Tape("bench", providers=(ProviderScript("provider", "anthropic-messages", (exchange,)),))


async def serve(kind: str, pacing: str) -> None:
    """Say the port, then the processor time for each line on stdin, until it ends."""
    if kind == "raw":
        RawServer.paced = pacing == "recorded"
        loop = asyncio.get_running_loop()
        listening = await loop.create_server(RawServer, "127.0.0.1", 0, backlog=1024)
        await answer(listening.sockets[0].getsockname()[1])
        listening.close()
        return
    from turnreel.replayer.server import serving

    paced = pacing == "recorded"
    plan = Plan(pacing=RECORDED if paced else MAX)
    source = tape(PACED_EVENTS if paced else FAST_EVENTS) if kind == "ours" else Path(kind)
    async with serving(source, plan) as replay:
        await answer(int(replay.url.rpartition(":")[2]))


async def answer(port: int) -> None:
    print(port, flush=True)
    loop = asyncio.get_running_loop()
    reader: Any = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.readline():
        print(time.process_time(), flush=True)


if __name__ == "__main__":
    asyncio.run(serve(*sys.argv[1:3]))
