"""A live WebSocket with a client: its messages are requests, each answered from its recording.

Rules of this file
- Messages are answered one after the other, in the order in which they come.
- A message that continues an answer is understood by the whole history that led to it, so that it
  may as well come in full on another WebSocket. One that continues an answer not given here is told
  so, as the provider would: clients send it again in full.
- A message that only makes ready for others needs no recording.
- Of the sub-protocols offered the first is spoken: a recording does not say which was.
- A WebSocket is closed by the server where the recorded answer was the last before its closing.
- A message that nothing recorded answers gets the provider's error, and the WebSocket stays open.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from aiohttp import WSMsgType, web

from turnreel.adapters.registry import provider
from turnreel.wire.encode import encode
from turnreel.wire.units import Json

from .answers import Chain
from .calls import Call, Form, named_exchange
from .matching import Asked, Hit, Matcher, Miss
from .outlet import SWITCHED, SocketOutlet

if TYPE_CHECKING:
    from .server import Server

MESSAGE_LIMIT: Final = 64 * 1024 * 1024
AHEAD: Final = 8
"""Messages that are read and not yet answered; with more than that the client is left to wait."""


def offered(request: web.Request) -> list[str]:
    """The sub-protocols that a client offers, the one it likes best first."""
    said = ",".join(request.headers.getall("sec-websocket-protocol", ()))
    return [name.strip() for name in said.split(",") if name.strip()]


def opens(request: web.Request) -> bool:
    """Whether a request for a WebSocket is one as it must be."""
    try:
        return bool(web.WebSocketResponse(protocols=offered(request)).can_prepare(request))
    except ValueError:  # a key that is not even ASCII
        return False


class Conversation:
    """One WebSocket of one client."""

    def __init__(
        self, server: Server, request: web.Request, dialect: str, client: int, matcher: Matcher
    ) -> None:
        self._server = server
        self._request = request
        self._provider = provider(dialect)
        self._dialect = dialect
        self._client = client
        self._matcher = matcher
        self._chain = Chain(dialect, request.path)
        self._socket = web.WebSocketResponse(
            protocols=offered(request)[:1],
            max_msg_size=MESSAGE_LIMIT,
            compress=False,
            autoping=False,
        )
        self._outlet = SocketOutlet(request)
        self._inbox: asyncio.Queue[bytes | None] = asyncio.Queue(AHEAD)
        self._turn = 0

    async def hold(self) -> web.WebSocketResponse:
        """Talk until one side ends it."""
        await self._socket.prepare(self._request)
        reading = asyncio.create_task(self._read())
        try:
            while (message := await self._inbox.get()) is not None:
                self._turn += 1
                if await self._answer(message) != "complete":
                    break
        finally:
            reading.cancel()
            with suppress(asyncio.CancelledError):
                await reading
        return self._socket

    async def _read(self) -> None:
        """Put what the client says into the inbox. Its pings and its close are replied to."""
        async for message in self._socket:
            match message.type:
                case WSMsgType.TEXT:
                    await self._inbox.put(message.data.encode())
                case WSMsgType.BINARY:
                    await self._inbox.put(message.data)
                case WSMsgType.PING:
                    await self._outlet.pong(message.data)
                case WSMsgType.PONG:
                    pass
                case _:
                    break
        await self._inbox.put(None)

    async def _answer(self, message: bytes) -> str:
        """Answer one message; how that ended."""
        call = Call(self._server.journal.begin(), self._client, self._request)
        named = named_exchange(self._request)
        turn = 0 if named is None else named.turn + self._turn - 1
        number = None if named is None else named.exchange
        if not self._chain.is_known(message) and not self._was_said(message, number, turn):
            unit = self._provider.unknown_answer()
            return await self._say(call, "probe", encode(unit))
        features = self._chain.features(message)
        asked = Asked(
            "GET", self._request.path_qs, features, number, self._dialect, "websocket", turn
        )
        match self._matcher.find(asked):
            case Hit() as hit:
                self._chain.answered(features, [event.unit for event in hit.exchange.events])
                emitter = await self._server.play(
                    call, hit, self._matcher, self._outlet, "websocket"
                )
                return emitter.ended
            case Miss() as miss:
                return await self._unrecorded(call, message, features, miss)
            case probe:
                return await self._say(call, "probe", encode(probe.unit))

    def _was_said(self, message: bytes, number: int | None, turn: int) -> bool:
        """Whether the message that is asked for by its number continued the same answer: where its
        recording begins in the middle of a chain.
        """
        continues = self._provider.continues
        for entry in self._server.shelf.entries:
            exchange = entry.exchange
            if (exchange.number, exchange.turn) == (number, turn) and exchange.said is not None:
                return continues(encode(exchange.said)) == continues(message)
        return False

    async def _unrecorded(self, call: Call, message: bytes, features: Json, miss: Miss) -> str:
        if made := self._provider.prewarmed(message):
            self._chain.answered(features, made)
            return await self._say(call, "probe", *map(encode, made))
        unit = self._provider.refusal(400, f"turnreel: {self._server.missed(call, miss)}")
        return await self._say(call, "miss", encode(unit))

    async def _say(self, call: Call, form: Form, *messages: bytes) -> str:
        for message in messages:
            await self._socket.send_str(message.decode())
        sent = sum(map(len, messages))
        self._server.journal.served(call.answered(form, SWITCHED, sent))
        return "complete"
