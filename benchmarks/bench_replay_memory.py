"""What serving a recording costs in memory, above the recording itself: a long stream, readers who
leave it lying, and a crowd that asks again and again.

The server runs in a process of its own. It holds the recording in memory, and says what that costs;
everything else is growth from there.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from .bench_replay import GAP_US, PACED_CLIENTS, PACED_EVENTS, TAIL, Target, crowd, server
from .figures import Figure, at_most
from .streams import forget_peak, peak_bytes

MIB: Final = 1 << 20
SIZE: Final = 16 * 1024
LONG_EVENTS: Final = 200 * 1000 * 1000 // SIZE
SLOW_READERS: Final = 200
READ_BYTES: Final = 4 * MIB
"""How much a slow reader takes before it reads no more."""
CROWDS: Final = 4

HEADER: Final = {
    "turnreel": 1,
    "id": "0123456789abcdef",
    "agent": {"name": "bench"},
    "tracks": [{"id": "provider", "carrier": "http", "dialect": "anthropic-messages"}],
    "policies": {},
    "rules": 1,
    "profile": "fixture",
    "origin": {"kind": "generated"},
}


def measure() -> Iterator[Figure]:
    """Growth over a long stream, by reader, and from crowd to crowd."""
    with tempfile.TemporaryDirectory() as folder:
        long = cassette(Path(folder) / "long.cassette.jsonl", LONG_EVENTS, SIZE)
        normal = cassette(Path(folder) / "normal.cassette.jsonl", PACED_EVENTS, 200)
        size = long.stat().st_size
        with server(str(long), "max") as target:
            loaded = forget_peak(target.pid)
            yield Figure("a 200 MB cassette in memory", loaded / size, "x", at_most(3), "its size")
            yield one_stream(target)
            yield slow_readers(target)
        with server(str(normal), "recorded") as target:
            yield from crowds(target)


def one_stream(target: Target) -> Figure:
    """A reader that keeps up, to the end of 200 MB."""
    before = forget_peak(target.pid)
    got = asyncio.run(read(target.port, None))
    assert got > LONG_EVENTS * SIZE, "all of it came"
    grown = (peak_bytes(target.pid) - before) / MIB
    return Figure("memory over a stream of 200 MB", grown, "MiB", at_most(8, 4))


def slow_readers(target: Target) -> Figure:
    """Readers that stop reading and stay, all at once."""
    before = forget_peak(target.pid)
    asyncio.run(stopping(target.port))
    grown = (peak_bytes(target.pid) - before) / 1024 / SLOW_READERS
    return Figure(
        f"memory a reader that stops reading 200 MB, {SLOW_READERS} of them",
        grown,
        "KiB",
        at_most(384, 256),
    )


def crowds(target: Target) -> Iterator[Figure]:
    """1,000 clients at once, four times over."""
    before = forget_peak(target.pid)
    peaks = []
    for _ in range(CROWDS):
        clients = asyncio.run(crowd(target.port, PACED_CLIENTS))
        assert all(len(client.came) == PACED_EVENTS for client in clients)
        peaks.append(peak_bytes(target.pid))
    each = (peaks[0] - before) / 1024 / PACED_CLIENTS
    yield Figure(
        "memory a client, 1,000 streams of 50 events a second", each, "KiB", at_most(128, 64)
    )
    grown = (peaks[-1] - peaks[1]) / MIB
    yield Figure(f"memory of the {CROWDS}th such crowd over the 2nd", grown, "MiB", at_most(4, 1))


async def read(port: int, limit: int | None) -> int:
    """Ask, and read to the end, or so much and no more; how much came."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 16)
    got = await taken(reader, writer, limit)
    writer.close()
    return got


async def taken(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limit: int | None
) -> int:
    writer.write(
        b"POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n"
        b"x-turnreel-exchange: 1\r\n\r\n{}"
    )
    got, last = 0, b""
    while not last.endswith(TAIL) and (limit is None or got < limit):
        last = await reader.read(1 << 18)
        got += len(last)
    return got


async def stopping(port: int) -> None:
    """Readers that take a little, and then stay for as long as the server could go on sending."""
    opened = [
        await asyncio.open_connection("127.0.0.1", port, limit=1 << 16) for _ in range(SLOW_READERS)
    ]
    await asyncio.gather(*(taken(reader, writer, READ_BYTES) for reader, writer in opened))
    await asyncio.sleep(2)
    for _, writer in opened:
        writer.transport.abort()


def cassette(path: Path, events: int, size: int) -> Path:
    """A recording of one answer, as an interrupted recorder leaves it."""
    value = {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "text_delta", "text": "w" * size},
    }
    sse = {"n": 1, "sse": {"event": "content_block_delta"}}
    request = {"method": "POST", "path": "/v1/messages", "headers": {}}
    head = {"status": 200, "headers": {"content-type": "text/event-stream"}}
    event = json.dumps([GAP_US, "provider", "data", value, sse], separators=(",", ":"))
    with path.open("w", encoding="utf-8") as file:
        for line in (
            HEADER,
            [0, "provider", "request", request, {"n": 1}],
            [0, "provider", "response", head, {"n": 1}],
        ):
            file.write(json.dumps(line) + "\n")
        for _ in range(events):
            file.write(event + "\n")
        file.write(json.dumps([GAP_US, "provider", "end", {}, {"n": 1}]) + "\n")
    return path
