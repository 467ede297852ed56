"""A live WebSocket relayed: both directions, message by message, upstream's through the faults.

Rules of this file
- Upstream is asked first. A client gets the WebSocket that upstream gave, with its headers and the
  sub-protocol that it chose; or the answer that upstream gave instead.
- Each message of the client is a request. Its answer is what comes until a message that ends one,
  or until the client speaks again; what upstream says unasked is an answer as well.
- Faults meet what goes to the client. A refusal is given in upstream's place: the message that it
  refuses goes no further.
- Whoever closes, closes the other side too, with the same code and reason, 1000 where a client says
  none. Whoever breaks off, and whoever a fault cut off, is broken off from the other side.
- Pings are answered here, and compression is between neighbours: messages are what is relayed.
- Neither direction waits for the other before `AHEAD` messages are under way.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final

import aiohttp
import msgspec
from aiohttp import WSMessage, WSMsgType, web

from turnreel.adapters.registry import provider
from turnreel.wire.classify import classify
from turnreel.wire.units import BodyFraming

from .answers import NORMAL
from .compiling import WEBSOCKET
from .outlet import SWITCHED, SocketOutlet
from .passing import PATIENT, passed_on
from .sockets import AHEAD, MESSAGE_LIMIT, offered

if TYPE_CHECKING:
    from .forwarding import Answer, Forwarder
    from .performing import Live

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


class Bridge:
    """One WebSocket of a client and the one behind it."""

    def __init__(
        self, forwarder: Forwarder, request: web.Request, dialect: str, upstream: Upgraded
    ) -> None:
        self._forwarder = forwarder
        self._request = request
        self._ends = provider(dialect).ends
        self._upstream = upstream.socket
        self._headers = upstream.headers
        chosen = upstream.socket.protocol
        self._socket = web.WebSocketResponse(
            protocols=[] if chosen is None else [chosen],
            max_msg_size=MESSAGE_LIMIT,
            autoclose=False,
            autoping=False,
        )
        self._outlet = SocketOutlet(request)
        self._inbox: asyncio.Queue[Answer | WSMessage] = asyncio.Queue(AHEAD)
        self._answer: Answer | None = None
        self._begun: list[Answer] = []
        """Answers that are not settled: the one under way, and those that wait for their turn."""
        self._turn = 0

    async def hold(self) -> web.WebSocketResponse:
        """Relay until one side ends it."""
        await self._switch()
        hearing = asyncio.create_task(self._hear())
        listening = asyncio.create_task(self._listen())
        playing = asyncio.create_task(self._play())
        closed: WSMessage | None = None
        try:
            await asyncio.wait({listening, playing}, return_when=asyncio.FIRST_COMPLETED)
            if listening.done():
                closed = listening.result()
            else:
                playing.result()
        except ConnectionError:
            pass  # the client left while it was written to
        finally:
            for task in (hearing, listening, playing):
                task.cancel()
            for answer in self._begun:
                answer.settle()
            if closed is None:
                _hang_up(self._upstream)
            await asyncio.gather(hearing, listening, playing, return_exceptions=True)
        if closed is not None:
            code, reason = closed.data or NORMAL, (closed.extra or "").encode()
            await self._upstream.close(code=code, message=reason)
            await self._socket.close(code=code, message=reason)
        return self._socket

    async def _switch(self) -> None:
        """Give the client what upstream gave."""
        for name, value in passed_on(self._headers):
            self._socket.headers.add(name, value)
        request = self._request
        if self._upstream.protocol is None:  # aiohttp would log what the client had offered
            kept = request.headers.copy()
            kept.popall("sec-websocket-protocol", None)
            request = request.clone(headers=kept)
        await self._socket.prepare(request)

    async def _listen(self) -> WSMessage | None:
        """Pass on what the client says; its closing, if it did not break off."""
        while True:
            message = await self._socket.receive()
            match message.type:
                case WSMsgType.TEXT | WSMsgType.BINARY:
                    await self._say(message)
                case WSMsgType.PING:
                    await self._outlet.pong(message.data)
                case WSMsgType.PONG:
                    pass
                case WSMsgType.CLOSE:
                    return message
                case _:
                    return None

    async def _say(self, message: WSMessage) -> None:
        answer = self._new()
        refuses = answer.live.refuses()
        await self._inbox.put(answer)
        if refuses:
            return
        with suppress(ConnectionError):  # that upstream is gone is heard from itself
            if message.type is WSMsgType.TEXT:
                await self._upstream.send_str(message.data)
            else:
                await self._upstream.send_bytes(message.data)

    async def _hear(self) -> None:
        """Take in what upstream says, and how it ends."""
        while True:
            message = await self._upstream.receive()
            await self._inbox.put(message)
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return

    async def _play(self) -> None:
        """Give the client what came, in its order, until one side has ended."""
        while self._answer is None or self._answer.live.emitter.ended in ("open", "complete"):
            came = await self._inbox.get()
            if not isinstance(came, WSMessage):
                await self._asked(came)
            elif came.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                await self._told(came)
            else:
                await self._ended(came)
                return

    async def _asked(self, answer: Answer) -> None:
        await self._finish()
        self._answer = answer
        if answer.live.is_refused:
            await answer.live.refuse()
            answer.settle()

    async def _told(self, message: WSMessage) -> None:
        is_text = message.type is WSMsgType.TEXT
        data = message.data.encode() if is_text else message.data
        unit = classify(data, BodyFraming())
        answer = self._answer = self._answer or self._new()
        await answer.live.message(data, unit, "websocket" if is_text else "binary websocket")
        if answer.live.is_over:
            answer.settle()
        if self._ends(unit) and answer.live.emitter.ended in ("open", "complete"):
            await self._finish()

    async def _ended(self, message: WSMessage) -> None:
        """Upstream has closed, or broken off."""
        closing: tuple[int, bytes] | None = None
        if message.type is WSMsgType.CLOSE:
            closing = message.data, (message.extra or "").encode()
        elif isinstance(message.data, aiohttp.WebSocketError):
            closing = message.data.code, b""
        if self._answer is None:
            if closing is not None:
                self._outlet.transport.write(WEBSOCKET.closing(*closing))
            self._outlet.transport.close()
        elif closing is not None:
            await self._answer.live.closed(*closing)
        else:
            await self._answer.live.end("upstream")

    def _new(self) -> Answer:
        self._turn += 1
        answer = self._forwarder.begun(self._request, self._outlet, self._turn)
        self._begun.append(answer)
        return answer

    async def _finish(self) -> None:
        """The answer under way is all there."""
        if self._answer is not None:
            await self._answer.live.end(None)
            self._answer.settle()
            self._begun.remove(self._answer)
            self._answer = None


async def _bounded(content: aiohttp.StreamReader) -> bytes:
    """A body, as far as one is read that stands in place of a WebSocket."""
    body = bytearray()
    with suppress(aiohttp.ClientPayloadError):
        async for chunk in content.iter_any():
            body += chunk
            if len(body) > REFUSAL_LIMIT:
                break
    return bytes(body[:REFUSAL_LIMIT])


def _hang_up(upstream: aiohttp.ClientWebSocketResponse) -> None:
    """End a connection without the word that closes a WebSocket."""
    raw: socket.socket | None = upstream.get_extra_info("socket")
    if raw is not None:
        with suppress(OSError):  # it has ended by itself
            raw.shutdown(socket.SHUT_RDWR)
