"""The replay client on a WebSocket: it says what was said, and hears what is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import aiohttp
from aiohttp import WSMsgType

from turnreel.wire.encode import encode

from .answers import NORMAL
from .client import Arrived, Fetched, ReplayClient
from .errors import ServeError
from .leaving import Leaving, leaving_of
from .matching import EXCHANGE_HEADER
from .schedule import schedule
from .script import Closed, Exchange, Torn

PROMPT: Final = b'{"type":"response.create"}'
"""What is said where the client's messages were not recorded."""
SWITCHED: Final = 101


async def talk(client: ReplayClient, group: Sequence[Exchange]) -> list[Fetched]:
    """Ask for the answers of one recorded WebSocket, on one; what came for each. They are fewer
    where a cancel of the plan, or the server, ended it before. Raises ServeError if nobody listens
    or no WebSocket is to be had.
    """
    target = urlsplit(client.url)
    url = urlunsplit(target._replace(path=target.path.rstrip("/") + urlsplit(group[0].path).path))
    headers = {EXCHANGE_HEADER: str(group[0].number)}
    try:
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(url, headers=headers, max_msg_size=0, autoclose=False) as socket,
        ):
            return await _talked(client, group, session, socket)
    except aiohttp.WSServerHandshakeError as error:
        return [Fetched(error.status, {}, b"", "complete", ())]
    except aiohttp.ClientConnectorError as error:
        raise ServeError(f"{client.url}: {error.os_error.strerror}", "is it served?") from error
    except aiohttp.ClientError as error:
        raise ServeError(f"{client.url}: {error}", "is that an HTTP server?") from error


async def _talked(
    client: ReplayClient,
    group: Sequence[Exchange],
    session: aiohttp.ClientSession,
    socket: aiohttp.ClientWebSocketResponse,
) -> list[Fetched]:
    came: list[Fetched] = []
    last_us = group[0].asked_us
    for exchange in group:
        await asyncio.sleep(client.plan.pacing.scale(exchange.asked_us - last_us) / 1_000_000)
        came.append(await _answer(client, exchange, session, socket))
        if came[-1].ended != "complete" or came[-1].code is not None:
            return came
        last_us = max([exchange.asked_us, *(event.at_us for event in exchange.events)])
    await socket.close(code=NORMAL)
    return came


async def _answer(
    client: ReplayClient,
    exchange: Exchange,
    session: aiohttp.ClientSession,
    socket: aiohttp.ClientWebSocketResponse,
) -> Fetched:
    """Say what was said and hear as many messages as there were, and the end where there was one.
    Leave where an armed cancel says, or where the recorded client left: as it did, with a closing
    frame or with the connection alone.
    """
    made = schedule(exchange, client.plan, client.arming.armed)
    leaving = leaving_of(made)
    client.arming.reserve(made.faults)
    heard: list[bytes] = []
    ended: Arrived = "complete"
    code: int | None = None
    try:
        said = PROMPT if exchange.said is None else encode(exchange.said)
        await socket.send_str(said.decode())
        expected = len(exchange.events) + isinstance(exchange.end, Closed | Torn)
        while ended == "complete":
            if leaving is not None and sum(map(len, heard)) >= (leaving.offset or 0):
                ended = "left"
                await asyncio.sleep(leaving.after_us / 1e6)
                await (session if _broke_off(exchange, leaving) else socket).close()
                break
            if len(heard) == expected:
                break
            message = await socket.receive()
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                code = message.data if message.type is WSMsgType.CLOSE else None
                ended = "short" if code is None else "complete"
                break
            data = message.data
            heard.append(data.encode() if isinstance(data, str) else data)
    finally:
        fired = leaving.faults if leaving is not None and ended == "left" else ()
        client.arming.settle(made.faults, fired)
    return Fetched(SWITCHED, {}, b"".join(heard), ended, tuple(heard), code)


def _broke_off(exchange: Exchange, leaving: Leaving) -> bool:
    """Whether the recorded client left without a closing frame."""
    return leaving.step is None and isinstance(exchange.end, Torn)
