"""The emitter's way out through aiohttp."""

from __future__ import annotations

import asyncio

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter

from .steps import Head


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
