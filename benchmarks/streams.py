"""Processes that the recording benchmarks put between: an upstream that streams, a bare aiohttp
relay, the recorder. Each prints its base URL and runs until it is terminated.

usage: python -m benchmarks.streams upstream | relay URL | recorder URL FOLDER
"""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

HEAD = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
    b"transfer-encoding: chunked\r\nconnection: close\r\n\r\n"
)
STAMP = re.compile(rb'"at":(\d+)}\n\n')
BLOCK = 16
WORDS = "the sum of all rows was checked against the total in the table and found equal. "


def event(size: int, number: int) -> bytes:
    """A text delta of about `size` bytes, stamped with the monotonic clock, with what begins and
    ends its block of `BLOCK` deltas.
    """
    text = WORDS * (size // len(WORDS) + 1)
    delta = {"type": "text_delta", "text": text[: max(1, size - 120)]}
    body = {"type": "content_block_delta", "index": 0, "delta": delta, "at": time.monotonic_ns()}
    match number % BLOCK:
        case 0:
            return START + _framed("content_block_delta", body)
        case last if last == BLOCK - 1:
            return _framed("content_block_delta", body) + STOP
    return _framed("content_block_delta", body)


def _framed(name: str, body: object) -> bytes:
    data = json.dumps(body, separators=(",", ":")).encode()
    return f"event: {name}\ndata: ".encode() + data + b"\n\n"


START = _framed(
    "content_block_start",
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
)
STOP = _framed("content_block_stop", {"type": "content_block_stop", "index": 0})


async def stream(head: bytes, writer: asyncio.StreamWriter) -> None:
    """Answer ``/?events=N&size=BYTES&gap=SECONDS``: due times are absolute, so nothing drifts."""
    query = {k: float(v[0]) for k, v in parse_qs(urlsplit(head.split()[1].decode()).query).items()}
    writer.write(HEAD)
    start, gap = time.monotonic(), query.get("gap", 0)
    for number in range(int(query["events"])):
        if gap and (late := start + number * gap - time.monotonic()) > 0:
            await asyncio.sleep(late)
        data = event(int(query["size"]), number)
        writer.write(b"%x\r\n%s\r\n" % (len(data), data))
        await writer.drain()
    writer.write(b"0\r\n\r\n")
    await writer.drain()


async def upstream() -> None:
    """A raw server: what it costs itself is in every figure."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await stream(await reader.readuntil(b"\r\n\r\n"), writer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    await _until_terminated(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")


async def relay(url: str) -> None:
    """The least a relay can do with aiohttp: each chunk on as it comes."""
    from aiohttp import ClientSession, web

    async with ClientSession() as session:

        async def serve(request: web.Request) -> web.StreamResponse:
            async with session.get(url + request.path_qs) as answer:
                response = web.StreamResponse(headers={"content-type": answer.content_type})
                response.enable_chunked_encoding()
                await response.prepare(request)
                async for chunk, _ in answer.content.iter_chunks():
                    await response.write(chunk)
                await response.write_eof()
                return response

        runner = web.AppRunner(app := web.Application())
        app.router.add_get("/{path:.*}", serve)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        await _until_terminated(f"http://127.0.0.1:{runner.addresses[0][1]}")
        await runner.cleanup()


async def _until_terminated(url: str) -> None:
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    print(url, flush=True)
    await stopped.wait()


def recorder(url: str, folder: str) -> None:
    """The recording proxy as ``turnreel proxy`` runs it."""
    from turnreel.recorder import record_requests

    record_requests(url, Path(folder), ready=lambda base, _: print(base, flush=True))


def peak_bytes(pid: int) -> int:
    """The most memory that a process ever had resident, or since `forget_peak`."""
    status = Path(f"/proc/{pid}/status").read_text()
    (line,) = [row for row in status.splitlines() if row.startswith("VmHWM")]
    return int(line.split()[1]) * 1024


def forget_peak(pid: int) -> int:
    """Begin the process's peak anew, with what it has now; that."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")
    return peak_bytes(pid)


class Relay:
    """A running process of this module."""

    def __init__(self, process: subprocess.Popen[str], url: str) -> None:
        self._process = process
        self.url = url

    def cpu_seconds(self) -> float:
        """Processor time of all its threads so far, finer than the ticks of /proc/PID/stat."""
        tasks = Path(f"/proc/{self._process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9

    def peak_bytes(self, *, of_child: bool = False) -> int:
        """The most memory it ever had resident; `of_child`: its sealing process had."""
        return peak_bytes(self._child() if of_child else self._process.pid)

    def stop(self) -> None:
        """Terminate it and wait until it is gone: a recorder has sealed then."""
        self._process.terminate()
        self._process.wait()

    def _child(self) -> int:
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        return int(children.read_text().split()[0])


@contextmanager
def running(*arguments: str) -> Iterator[Relay]:
    """One of the processes of this module, while inside."""
    with subprocess.Popen(
        [sys.executable, "-m", "benchmarks.streams", *arguments],
        stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        relay_ = Relay(process, process.stdout.readline().strip())
        try:
            yield relay_
        finally:
            relay_.stop()


class Heard:
    """What a client heard: seconds to the first byte of the body, and of each event its latency."""

    def __init__(self) -> None:
        self.first = 0.0
        self.latencies: list[float] = []
        self.size = 0


async def ask(base: str, events: int, size: int, gap: float = 0.0) -> Heard:
    """GET a stream on a connection of its own, to its end."""
    heard = Heard()
    port = urlsplit(base).port
    began = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    path = f"/?events={events}&size={size}&gap={gap}"
    writer.write(f"GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".encode())
    await reader.readuntil(b"\r\n\r\n")
    tail = b""
    while data := await reader.read(1 << 18):
        now = time.monotonic()
        heard.first = heard.first or now - began
        heard.size += len(data)
        if gap:
            tail = _stamped(tail + data, int(now * 1e9), heard.latencies)
    writer.close()
    return heard


def _stamped(data: bytes, now_ns: int, latencies: list[float]) -> bytes:
    """Takes the stamps out; what follows the last one is left."""
    end = 0
    for stamp in STAMP.finditer(data):
        latencies.append((now_ns - int(stamp[1])) / 1e9)
        end = stamp.end()
    return data[end:]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["upstream"]:
            asyncio.run(upstream())
        case ["relay", url]:
            asyncio.run(relay(url))
        case ["recorder", url, folder]:
            recorder(url, folder)
