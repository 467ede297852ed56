"""The recorded client side: the exchanges of a provider track asked again, of a test server.

Requests come when they came: as long after the exchanges that had ended before them as recorded,
and beside those that had not. Their bodies are features, never the recorded words: a server that
plays a cassette knows them by their number, and a real provider is not asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import groupby

import msgspec

from turnreel.wire.encode import encode

from .client import Fetched, ReplayClient
from .faults import Plan
from .script import Closed, Exchange
from .talking import talk


class Asked(msgspec.Struct, frozen=True):
    """One exchange asked again: all that came, an answer a request, and whether the last of them
    is what was recorded, byte for byte.
    """

    exchange: int
    method: str
    path: str
    answers: tuple[Fetched, ...]
    is_recorded: bool


async def ask_again(exchanges: Sequence[Exchange], url: str, plan: Plan) -> list[Asked]:
    """Ask for every exchange at `url`, in the order and at the distances recorded, at the plan's
    pace, leaving and asking again where its cancels and reconnects say, or leaving where the
    recorded client left. What was asked on one WebSocket is asked on one again. An exchange of
    which the recording holds nothing but the request is not asked: nothing is known that could
    come, and when to leave neither.

    Raises `ServeError` if nobody listens or what listens speaks no HTTP, `PlanError` for a cancel
    or reconnect that did not happen.
    """
    client = ReplayClient(url, plan)
    known = filter(_is_known, exchanges)
    connected = [list(group) for _, group in groupby(known, lambda one: one.number)]
    done = {group[0].number: asyncio.Event() for group in connected}
    asking = [_ask(client, group, connected, done) for group in connected]
    asked = await asyncio.gather(*asking)
    client.check()
    return [one for group in asked for one in group]


async def _ask(
    client: ReplayClient,
    group: Sequence[Exchange],
    connected: Sequence[Sequence[Exchange]],
    done: Mapping[int, asyncio.Event],
) -> list[Asked]:
    first = group[0]
    before = [
        one for one in connected if _ended_us(one[-1]) <= first.asked_us and one[0] is not first
    ]
    for one in before:
        await done[one[0].number].wait()
    since = max((_ended_us(one[-1]) for one in before), default=connected[0][0].asked_us)
    await asyncio.sleep(client.plan.pacing.scale(first.asked_us - since) / 1_000_000)
    try:
        if first.carrier == "websocket":
            told = await talk(client, group)
            return [_asked(one, answers) for one, answers in zip(group, told, strict=False)]
        body = msgspec.json.encode({"features": first.features})
        return [_asked(first, await client.follow(first, body))]
    finally:
        done[first.number].set()


def _asked(exchange: Exchange, answers: tuple[Fetched, ...]) -> Asked:
    return Asked(
        exchange.number, exchange.method, exchange.path, answers, _is(exchange, answers[-1])
    )


def _is_known(exchange: Exchange) -> bool:
    """Whether anything of the exchange was recorded behind its request."""
    is_http = exchange.carrier == "http"
    return not is_http or exchange.response is not None or exchange.end is not None


def _ended_us(exchange: Exchange) -> int:
    if exchange.end is not None:
        return exchange.end.at_us
    return max((event.at_us for event in exchange.events), default=exchange.asked_us)


def _is(exchange: Exchange, answer: Fetched) -> bool:
    recorded = [encode(event.unit) for event in exchange.events]
    if answer.messages is not None:
        code = exchange.end.code if isinstance(exchange.end, Closed) else None
        return (list(answer.messages), answer.code) == (recorded, code)
    status = exchange.response.status if exchange.response is not None else 0
    return (answer.status, answer.body) == (status, b"".join(recorded))
