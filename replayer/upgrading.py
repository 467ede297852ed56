"""Asking upstream for a WebSocket: what it gives, or what it answers instead."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import aiohttp
import msgspec
from aiohttp import web

from .outlet import SWITCHED
from .passing import PATIENT, passed_on
from .performing import Live
from .sockets import MESSAGE_LIMIT, offered

WINDOW_BITS: Final = 15
"""What is offered upstream where the client offers compression."""

REFUSAL_LIMIT: Final = 1 << 20
"""Bytes that are passed on of what upstream answers in place of a WebSocket."""


class Refused(Exception):
    """Upstream gave another answer than a WebSocket."""

    def __init__(self, response: aiohttp.ClientResponse, body: bytes) -> None:
        super().__init__(response.status)
        self.status = response.status
        self.headers = tuple(response.headers.items())
        self.body = body

    async def pass_on(self, live: Live) -> None:
        """Say the same to a client."""
        await live.begin(self.status, self.headers)
        await live.feed(self.body)
        await live.end(None)


class Upgraded(msgspec.Struct, frozen=True):
    """Upstream's WebSocket, and the headers with which it came."""

    socket: aiohttp.ClientWebSocketResponse
    headers: tuple[tuple[str, str], ...]


@asynccontextmanager
async def upgraded(
    connector: aiohttp.BaseConnector, url: str, request: web.Request
) -> AsyncIterator[Upgraded]:
    """The WebSocket at `url` while the block runs, asked for as `request` does. Raises Refused, and
    aiohttp.ClientError where nobody answers or what comes is none.
    """
    told: list[aiohttp.ClientResponse] = []

    async def answered(response: aiohttp.ClientResponse) -> None:
        told.append(response)
        if response.status != SWITCHED:
            raise Refused(response, await _bounded(response.content))

    async def redirected(
        session: aiohttp.ClientSession, context: object, params: aiohttp.TraceRequestRedirectParams
    ) -> None:
        raise Refused(params.response, await _bounded(params.response.content))

    trace = aiohttp.TraceConfig()
    trace.on_request_redirect.append(redirected)
    packs = "permessage-deflate" in request.headers.get("sec-websocket-extensions", "")
    async with (
        aiohttp.ClientSession(
            connector=connector,
            connector_owner=False,
            cookie_jar=aiohttp.DummyCookieJar(),
            raise_for_status=answered,
            timeout=PATIENT,
            trace_configs=[trace],
        ) as session,
        session.ws_connect(
            url,
            headers=passed_on(request.headers.items()),
            protocols=offered(request),
            max_msg_size=MESSAGE_LIMIT,
            compress=WINDOW_BITS if packs else 0,
        ) as upstream,
    ):
        yield Upgraded(upstream, tuple(told[-1].headers.items()))


async def _bounded(content: aiohttp.StreamReader) -> bytes:
    """A body, as far as one is read that stands in place of a WebSocket."""
    body = bytearray()
    with suppress(aiohttp.ClientPayloadError):
        async for chunk in content.iter_any():
            body += chunk
            if len(body) > REFUSAL_LIMIT:
                break
    return bytes(body[:REFUSAL_LIMIT])
