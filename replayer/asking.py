"""The recorded client side: the exchanges of a provider track asked again, of a test server.

Requests come when they came: as long after the exchanges that had ended before them as recorded,
and beside those that had not. Their bodies are features, never the recorded words: a server that
plays a cassette knows them by their number, and a real provider is not asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

import msgspec

from turnreel.wire.encode import encode

from .client import Fetched, ReplayClient
from .faults import Plan
from .script import Exchange


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
    pace, leaving and asking again where its cancels and reconnects say.

    Raises `ServeError` if nobody listens or what listens speaks no HTTP, `PlanError` for a cancel
    or reconnect that did not happen.
    """
    client = ReplayClient(url, plan)
    done = {exchange.number: asyncio.Event() for exchange in exchanges}
    asking = [_ask(client, one, exchanges, done, plan.pacing.scale) for one in exchanges]
    asked = await asyncio.gather(*asking)
    client.check()
    return asked


async def _ask(
    client: ReplayClient,
    exchange: Exchange,
    exchanges: Sequence[Exchange],
    done: Mapping[int, asyncio.Event],
    scale: Callable[[int], int],
) -> Asked:
    before = [one for one in exchanges if _ended_us(one) <= exchange.asked_us and one != exchange]
    for one in before:
        await done[one.number].wait()
    since = max((_ended_us(one) for one in before), default=exchanges[0].asked_us)
    await asyncio.sleep(scale(exchange.asked_us - since) / 1_000_000)
    try:
        body = msgspec.json.encode({"features": exchange.features})
        answers = await client.follow(exchange, body)
    finally:
        done[exchange.number].set()
    return Asked(
        exchange.number, exchange.method, exchange.path, answers, _is(exchange, answers[-1])
    )


def _ended_us(exchange: Exchange) -> int:
    if exchange.end is not None:
        return exchange.end.at_us
    return max((event.at_us for event in exchange.events), default=exchange.asked_us)


def _is(exchange: Exchange, answer: Fetched) -> bool:
    recorded = b"".join(encode(event.unit) for event in exchange.events)
    status = exchange.response.status if exchange.response is not None else 0
    return (answer.status, answer.body) == (status, recorded)
