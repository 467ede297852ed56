"""Pieces the recorder's tests share: a sink that remembers, and a scripted upstream."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import struct
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.collecting import collected
from turnreel.cassettes import Record, open_cassette
from turnreel.wire.units import Json

Row = tuple[Any, ...]
Script = Callable[[bytes, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Memory:
    """A `Sink` that remembers what it was told, in order."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def chunk(self, track: str, code: str, data: bytes, exchange: int | None = None) -> None:
        self.rows.append((track, code, exchange, data))

    def over(self, track: str, code: str, exchange: int | None = None) -> None:
        self.rows.append((track, "over", exchange, code))

    def fact(
        self, track: str, code: str, fields: Mapping[str, Json], exchange: int | None = None
    ) -> None:
        self.rows.append((track, code, exchange, dict(fields)))

    def request(
        self,
        track: str,
        exchange: int,
        method: str,
        path: str,
        headers: list[tuple[str, str]],
        body: bytes,
    ) -> None:
        self.rows.append((track, "request", exchange, (method, path, dict(headers), body)))

    def of(self, exchange: int) -> list[Row]:
        """What was told of one exchange, as (code, content)."""
        return [(row[1], row[3]) for row in self.rows if row[2] == exchange]


_collected = pytest.fixture(autouse=True)(collected)


@pytest.fixture
def memory() -> Memory:
    return Memory()


@contextlib.asynccontextmanager
async def upstream(script: Script) -> AsyncIterator[str]:
    """A raw http/1.1 server that runs `script(head, reader, writer)` once a connection."""

    serving: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await script(await reader.readuntil(b"\r\n\r\n"), reader, writer)
        await hang_up(writer)

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(serve(reader, writer))
        serving.add(task)
        task.add_done_callback(serving.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        server.close()
        if serving:  # a client that left lets a script end
            await asyncio.wait(serving, timeout=10)


async def hang_up(writer: asyncio.StreamWriter) -> None:
    """Close, and wait until it is."""
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()


async def send(writer: asyncio.StreamWriter, *parts: bytes) -> None:
    """Each part in a segment of its own."""
    for part in parts:
        writer.write(part)
        await writer.drain()
        await asyncio.sleep(0.02)


async def reset(writer: asyncio.StreamWriter) -> None:
    """End the connection with a reset once all was taken."""
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def chunked(*bodies: bytes) -> list[bytes]:
    """The chunks of a chunked body, without the last empty one."""
    return [b"%x\r\n%s\r\n" % (len(body), body) for body in bodies]


async def ask(base: str, head: str, body: bytes = b"") -> bytes:
    """One raw request on a connection of its own, read to the end."""
    port = int(base.split(":")[2].split("/")[0])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(head.replace("\n", "\r\n").encode() + b"\r\n" + body)
        return await reader.read()
    finally:
        await hang_up(writer)


@contextlib.contextmanager
def served(script: Script) -> Iterator[str]:
    """`upstream`, on a thread of its own."""
    loop = asyncio.new_event_loop()
    ready, stop = threading.Event(), asyncio.Event()
    urls: list[str] = []

    async def serve() -> None:
        async with upstream(script) as url:
            urls.append(url)
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    ready.wait()
    try:
        yield urls[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


INIT: dict[str, Any] = {
    "type": "system",
    "subtype": "init",
    "session_id": "7cf5ab49-e96c-43f7-876e-b6bc312743f7",
    "claude_code_version": "2.1.332",
}
MODEL = "claude-sonnet-4-5-20250929"


def said(text: str, number: int = 1) -> dict[str, Any]:
    """A Claude frame with one block of text."""
    message = {
        "id": f"msg_mock_{number:04}",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": [{"type": "text", "text": text}],
        "stop_reason": None,
    }
    return {"type": "assistant", "message": message, "parent_tool_use_id": None}


def result(text: str) -> dict[str, Any]:
    """The frame that ends a turn well."""
    return {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "result": text,
        "stop_reason": "end_turn",
        "terminal_reason": "completed",
    }


class Agent:
    """A fake ``claude`` in `folder`, recorded by processes of their own."""

    ARGUMENTS = ("-p", "--output-format", "stream-json", "--verbose")

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.target = folder / "session.cassette.jsonl"
        self.program = folder / "claude"
        fake = Path(__file__).with_name("fake_claude.py")
        self.program.write_text(f"#!{sys.executable}\nexec(open({str(fake)!r}).read())\n")
        self.program.chmod(0o755)
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "TMPDIR": str(folder),
            "FAKE_STEPS": str(folder / "steps"),
        }

    def steps(self, *steps: dict[str, Any]) -> None:
        """What the agent does."""
        lines = "".join(json.dumps(step) + "\n" for step in steps)
        (self.folder / "steps").write_text(lines)

    def record(self, *options: str, arguments: Sequence[str] = ("--", "Go.")) -> list[str]:
        """The command line that records it."""
        code = (
            "import sys; from pathlib import Path\n"
            "from turnreel.recorder import Provider, Wanted, leave, record\n"
            "url, profile = sys.argv[2] or None, sys.argv[3]\n"
            "wanted = Wanted(profile=profile, provider=Provider(url=url))\n"
            "done = record(sys.argv[4:], Path(sys.argv[1]), wanted)\n"
            "if done.failure: print(done.failure, file=sys.stderr)\n"
            "leave(done.exit)"
        )
        url, profile = (*options, *("", "fixture")[len(options) :])
        head = [sys.executable, "-c", code, str(self.target), url, profile]
        return [*head, str(self.program), *self.ARGUMENTS, *arguments]

    def records(self) -> list[Record]:
        """What was recorded."""
        return list(open_cassette(self.target))


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    return Agent(tmp_path)
