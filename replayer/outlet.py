"""The emitter's ways out through aiohttp."""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter

from .compiling import pong
from .emitter import Outlet
from .steps import Head

SWITCHED: Final = 101


class Playing(Outlet, Protocol):
    """An outlet that tells what became of its head."""

    @property
    def status(self) -> int:
        """The status that was sent; 0 if none was."""


class AiohttpOutlet:
    """An `Outlet` on an aiohttp request: aiohttp writes the head, the emitter what follows."""

    def __init__(self, request: web.Request) -> None:
        assert request.transport is not None
        self._request = request
        self._writer: AbstractStreamWriter | None = None
        self.transport = request.transport
        self.response: web.StreamResponse = web.Response()

    @property
    def opened(self) -> bool:
        """Whether the head was written."""
        return self._writer is not None

    @property
    def status(self) -> int:
        return self.response.status if self.opened else 0

    async def open(self, head: Head) -> None:
        self.response = web.StreamResponse(status=head.status)
        for name, value in head.headers:
            self.response.headers.add(name, value)
        if head.framing == "length":
            self.response.content_length = head.length
        if head.connection == "close":
            self.response.force_close()
        self._writer = await self.response.prepare(self._request)

    async def drain(self) -> None:
        if self._writer is not None:
            await self._writer.drain()

    async def gone(self) -> None:
        """Never returns: aiohttp cancels a handler whose client left."""
        await asyncio.get_running_loop().create_future()

    def torn(self, inside: bool) -> None:
        """Nothing is said in between."""


class SocketOutlet:
    """An `Outlet` on an upgraded request: messages of one answer after the other, and between them
    replies to the client's pings.
    """

    status = SWITCHED

    def __init__(self, request: web.Request) -> None:
        assert request.transport is not None
        self._request = request
        self._torn = False
        self._pinged: bytes | None = None
        self.transport = request.transport

    async def open(self, head: Head) -> None:
        raise TypeError("a WebSocket's answers have no head")

    async def drain(self) -> None:
        await self._request.writer.drain()

    def torn(self, inside: bool) -> None:
        self._torn = inside
        self._reply()

    async def pong(self, message: bytes) -> None:
        """Reply to a ping, when no message is under way; of several that wait, to the latest."""
        self._pinged = message
        self._reply()
        await self.drain()

    def _reply(self) -> None:
        if self._pinged is not None and not self._torn:
            self.transport.write(pong(self._pinged))
            self._pinged = None

    async def gone(self) -> None:
        """Never returns: aiohttp cancels a handler whose client left."""
        await asyncio.get_running_loop().create_future()
