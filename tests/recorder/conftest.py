"""Pieces the recorder's tests share: a sink that remembers, and a scripted upstream."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

import pytest

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


@pytest.fixture
def memory() -> Memory:
    return Memory()


@contextlib.asynccontextmanager
async def upstream(script: Script) -> AsyncIterator[str]:
    """A raw http/1.1 server that runs `script(head, reader, writer)` once a connection."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await script(await reader.readuntil(b"\r\n\r\n"), reader, writer)
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


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
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
