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
- Neither direction waits for the other before the inbox is full.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import aiohttp
from aiohttp import WSMessage, WSMsgType, web

from turnreel.adapters.registry import provider
from turnreel.wire.classify import classify
from turnreel.wire.units import BodyFraming

from .answers import NORMAL
from .compiling import WEBSOCKET
from .inbox import Inbox
from .leaving import close, hang_up
from .outlet import SocketOutlet
from .passing import passed_on
from .performance import Carriage
from .sockets import MESSAGE_LIMIT
from .upgrading import Upgraded

if TYPE_CHECKING:
    from .forwarding import Answer, Forwarder

LAST_WORD_S: Final = 0.2
"""How long it is looked for behind a client that is gone."""

Closing = tuple[int, bytes]
"""A code, 0 for none, and a reason."""


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
        self._inbox: Inbox[Answer | WSMessage] = Inbox()
        self._answer: Answer | None = None
        self._begun: list[Answer] = []
        """Answers that are not settled: the one under way, and those that wait for their turn."""
        self._turn = 0

    async def hold(self) -> web.WebSocketResponse:
        """Relay until one side ends it."""
        await self._switch()
        listening = asyncio.create_task(self._listen())
        playing = asyncio.create_task(self._play())
        hearing = asyncio.create_task(self._hear())
        try:
            await asyncio.wait({listening, playing}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:  # the client is gone; its last word may have come with that
            await asyncio.wait({listening}, timeout=LAST_WORD_S)
            raise
        finally:
            for task in (listening, playing, hearing):
                task.cancel()
            for answer in self._begun:
                answer.settle()
            closed, *others = await asyncio.gather(
                listening, playing, hearing, return_exceptions=True
            )
            await self._leave(closed if isinstance(closed, tuple) else None)
        for failure in (closed, *others):
            if isinstance(failure, Exception) and not isinstance(failure, ConnectionError):
                raise failure
        if isinstance(closed, tuple):
            await self._socket.close(code=closed[0] or NORMAL, message=closed[1])
        return self._socket

    async def _leave(self, closed: Closing | None) -> None:
        """Leave upstream as the client left."""
        if closed is None:
            hang_up(self._upstream)
        else:
            await close(self._upstream, closed[0] or NORMAL, closed[1])

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

    async def _listen(self) -> Closing | None:
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
                case _:
                    return _closing(message)

    async def _say(self, message: WSMessage) -> None:
        answer = self._new()
        refuses = answer.live.refuses()
        await self._inbox.take_in(answer)
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
            says = message.type in (WSMsgType.TEXT, WSMsgType.BINARY)
            await self._inbox.take_in(message, len(message.data) if says else 0)
            if not says:
                return

    async def _play(self) -> None:
        """Give the client what came, in its order, until one side has ended."""
        while self._answer is None or self._answer.live.emitter.ended in ("open", "complete"):
            came = await self._inbox.get()
            if not isinstance(came.what, WSMessage):
                await self._asked(came.what, came.came_s)
            elif came.what.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                await self._told(came.what, came.came_s)
            else:
                await self._ended(came.what, came.came_s)
                return

    async def _asked(self, answer: Answer, came_s: float) -> None:
        await self._finish(came_s)
        self._answer = answer
        if answer.live.is_refused:
            await answer.live.refuse()
            answer.settle()

    async def _told(self, message: WSMessage, came_s: float) -> None:
        is_text = message.type is WSMsgType.TEXT
        data = message.data.encode() if is_text else message.data
        unit = classify(data, BodyFraming())
        answer = self._answer = self._answer or self._new()
        carriage: Carriage = "websocket" if is_text else "binary websocket"
        await answer.live.message(data, unit, carriage, came_s)
        if answer.live.is_over:
            answer.settle()
        if self._ends(unit) and answer.live.emitter.ended in ("open", "complete"):
            await self._finish(came_s)

    async def _ended(self, message: WSMessage, came_s: float) -> None:
        """Upstream has closed, or broken off."""
        closing = _closing(message)
        if self._answer is None:
            if closing is not None:
                self._outlet.transport.write(WEBSOCKET.closing(*closing))
            self._outlet.transport.close()
        elif closing is not None:
            await self._answer.live.closed(*closing, came_s)
        else:
            await self._answer.live.end("upstream", came_s)

    def _new(self) -> Answer:
        self._turn += 1
        answer = self._forwarder.begun(self._request, self._outlet, self._turn)
        self._begun.append(answer)
        return answer

    async def _finish(self, came_s: float) -> None:
        """The answer under way is all there."""
        if self._answer is not None:
            await self._answer.live.end(None, came_s)
            self._answer.settle()
            self._begun.remove(self._answer)
            self._answer = None


def _closing(message: WSMessage) -> Closing | None:
    """The closing that a message is, or that it brings about because it must not be; None where one
    side broke off.
    """
    if message.type is WSMsgType.CLOSE:
        return message.data, (message.extra or "").encode()
    if isinstance(message.data, aiohttp.WebSocketError):
        return message.data.code, b""
    return None
