"""The replay client on a WebSocket: it says what was said, and hears what is answered.

Rules of this file
- An answer is heard to its end as the dialect tells it: until as many messages came that end one as
  were recorded. Where the recording has more behind its last one, or none, its length decides.
- A client that comes back does so on a new WebSocket, and says the message again in whose answer it
  left: continuing the last answer of which it heard, none, or one that nobody gave. What was said
  behind that is said on the new one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import aiohttp
from aiohttp import WSMsgType

from turnreel.adapters.registry import provider
from turnreel.wire.classify import classify
from turnreel.wire.encode import encode
from turnreel.wire.units import BodyFraming, Unit

from .client import ANSWER_LIMIT, Arrived, Fetched, ReplayClient, endless
from .errors import ServeError
from .leaving import Leaving, close, hang_up, leaving_of
from .matching import EXCHANGE_HEADER
from .outlet import SWITCHED
from .resuming import UNKNOWN_ID
from .schedule import schedule
from .script import Closed, Exchange, Torn
from .sockets import MESSAGE_LIMIT
from .steps import Rejoin

PROMPT: Final = b'{"type":"response.create"}'
"""What is said where the client's messages were not recorded."""

Socket = aiohttp.ClientWebSocketResponse


async def talk(client: ReplayClient, group: Sequence[Exchange]) -> list[tuple[Fetched, ...]]:
    """Ask for the answers of one recorded WebSocket, on one, or on several where a reconnect of the
    plan says so; all that came for each, one entry for each time it was asked for. They are fewer
    where a cancel of the plan, or the server, ended it before. Raises ServeError if nobody listens,
    what listens speaks no HTTP, or an answer does not end.
    """
    came: list[list[Fetched]] = []
    again: Rejoin | None = None
    while again is not None or not came:
        rest = group[max(0, len(came) - 1) :]
        try:
            async with _dialled(client, rest[0]) as socket:
                again = await _talked(client, rest, socket, came, again)
        except aiohttp.WSServerHandshakeError as error:
            refused = Fetched(error.status, {}, b"", "complete", ())
            _add(came, refused, again)
            break
    return [tuple(answers) for answers in came]


@asynccontextmanager
async def _dialled(client: ReplayClient, first: Exchange) -> AsyncIterator[Socket]:
    """A WebSocket on which `first` is asked for first."""
    target = urlsplit(client.url)
    url = urlunsplit(target._replace(path=target.path.rstrip("/") + urlsplit(first.path).path))
    patience = aiohttp.ClientTimeout(total=None, sock_connect=30, sock_read=client.silence_s)
    try:
        async with (
            aiohttp.ClientSession(timeout=patience) as session,
            session.ws_connect(
                url,
                headers={EXCHANGE_HEADER: f"{first.number}/{first.turn}"},
                max_msg_size=MESSAGE_LIMIT,
                autoclose=False,
            ) as socket,
        ):
            yield socket
    except aiohttp.WSServerHandshakeError:
        raise
    except aiohttp.ClientConnectorError as error:
        raise ServeError(f"{client.url}: {error.os_error.strerror}", "is it served?") from error
    except aiohttp.ClientError as error:
        raise ServeError(f"{client.url}: {error}", "is that an HTTP server?") from error


async def _talked(
    client: ReplayClient,
    rest: Sequence[Exchange],
    socket: Socket,
    came: list[list[Fetched]],
    again: Rejoin | None,
) -> Rejoin | None:
    """Say what is left to say, adding to `came`; how the client comes back, if it left for that."""
    last_us = rest[0].asked_us
    for exchange in rest:
        await asyncio.sleep(client.plan.pacing.scale(exchange.asked_us - last_us) / 1_000_000)
        said = PROMPT if exchange.said is None else encode(exchange.said)
        if again is None:
            got, rejoin = await _asked(client, exchange, socket, said)
        else:
            said = _said_again(exchange, said, came[-1][-1], again)
            leaving = client.recorded_leaving(exchange)
            got, rejoin = await _heard(client, exchange, socket, said, leaving), None
        _add(came, got, again)
        if rejoin is not None or got.ended != "complete" or got.code is not None:
            return rejoin
        again = None
        last_us = max([exchange.asked_us, *(event.at_us for event in exchange.events)])
    await close(socket)
    return None


def _add(came: list[list[Fetched]], got: Fetched, again: Rejoin | None) -> None:
    if again is None:
        came.append([got])
    else:
        came[-1].append(got)


async def _asked(
    client: ReplayClient, exchange: Exchange, socket: Socket, said: bytes
) -> tuple[Fetched, Rejoin | None]:
    """Ask for an answer, leaving where an armed fault says; how the client then comes back."""
    made = schedule(exchange, client.plan, client.arming.armed)
    leaving = leaving_of(made)
    client.arming.reserve(made.faults)
    fired: tuple[int, ...] = ()
    rejoin: Rejoin | None = None
    try:
        got = await _heard(client, exchange, socket, said, leaving)
        if leaving is not None and got.ended == "left":
            fired = leaving.faults
            rejoin = leaving.step if isinstance(leaving.step, Rejoin) else None
    finally:
        client.arming.settle(made.faults, fired)
    return got, rejoin


def _said_again(exchange: Exchange, said: bytes, left: Fetched, again: Rejoin) -> bytes:
    """What a client says that comes back behind `left`."""
    spoken = provider(exchange.dialect)
    match again.since:
        case "zero":
            return spoken.continuing(said, None)
        case "unknown":
            return spoken.continuing(said, UNKNOWN_ID)
        case "last":
            told = spoken.told(map(_unit, left.messages or ()))
            return said if told is None else spoken.continuing(said, told.id)


async def _heard(
    client: ReplayClient,
    exchange: Exchange,
    socket: Socket,
    said: bytes,
    leaving: Leaving | None,
) -> Fetched:
    """Say what was said, and hear the answer, until it has ended or `leaving` says so. Raises
    ServeError where it does not end.
    """
    hearing = _Hearing(exchange)
    ended: Arrived = "complete"
    code: int | None = None
    try:
        await socket.send_str(said.decode())
    except ConnectionError:
        return Fetched(SWITCHED, {}, b"", "reset", ())
    while True:
        if leaving is not None and hearing.size >= (leaving.offset or 0):
            ended = "left"
            await _leave(socket, exchange, leaving)
            break
        if hearing.is_whole:
            break
        try:
            message = await socket.receive(client.silence_s)
        except TimeoutError:
            ended = "silent"
            break
        if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
            code = message.data if message.type is WSMsgType.CLOSE else None
            ended = "short" if code is None else "complete"
            break
        data = message.data
        hearing.hear(data.encode() if isinstance(data, str) else data)
        if hearing.size > ANSWER_LIMIT:
            hang_up(socket)
            raise endless()
    heard = tuple(hearing.messages)
    return Fetched(SWITCHED, {}, b"".join(heard), ended, heard, code)


class _Hearing:
    """What has come for an exchange; each message is looked at once."""

    def __init__(self, exchange: Exchange) -> None:
        self._ends = provider(exchange.dialect).ends
        recorded = [self._ends(event.unit) for event in exchange.events]
        self._recorded = len(recorded)
        self._endings = sum(recorded)
        self._is_ended_by_one = recorded[-1:] == [True]
        self._socket_ends = isinstance(exchange.end, Closed | Torn)
        self._came = 0
        self.messages: list[bytes] = []
        self.size = 0

    def hear(self, message: bytes) -> None:
        """One more message has come."""
        self.messages.append(message)
        self.size += len(message)
        self._came += self._ends(_unit(message))

    @property
    def is_whole(self) -> bool:
        """Whether nothing more is to come, not even the end of the WebSocket."""
        if self._socket_ends and len(self.messages) >= self._recorded:
            return self._came > self._endings
        if self._is_ended_by_one:
            return self._came >= self._endings
        return len(self.messages) >= self._recorded or self._came > self._endings


async def _leave(socket: Socket, exchange: Exchange, leaving: Leaving) -> None:
    """Leave: with a closing, but without a word where the recorded client had broken off."""
    await asyncio.sleep(leaving.after_us / 1e6)
    if leaving.step is None and isinstance(exchange.end, Torn):
        hang_up(socket)
    else:
        await close(socket)


def _unit(message: bytes) -> Unit:
    return classify(message, BodyFraming())
