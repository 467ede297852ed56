"""A plan's performances of recorded exchanges, each worked out once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal

import msgspec

from .compiling import BINARY, CHUNKED, PLAIN, WEBSOCKET, Batch, Framing, Move, compiled
from .faults import Plan
from .schedule import schedule
from .script import Exchange
from .steps import Schedule

KEPT: Final = 64
"""How many performances are remembered: a crowd asks for few exchanges at a time."""

Carriage = Literal["http/1.1", "http/1.0", "head", "websocket", "binary websocket"]
"""What the client can take: chunks, a body that ends with the connection, no body at all, or
messages, of text or not.
"""


class Performance(msgspec.Struct, frozen=True):
    """The moves of one exchange, and the faults of the plan among them."""

    moves: tuple[Move, ...]
    faults: frozenset[int]


class Performances:
    """Performances of `exchanges`, by their place. Equal questions get equal answers, so they are
    remembered while the plan is the same.
    """

    def __init__(self, exchanges: Sequence[Exchange]) -> None:
        self._exchanges = exchanges
        self._plan = Plan()
        self._of = lru_cache(KEPT)(self._made)

    def of(self, place: int, plan: Plan, armed: frozenset[int], carriage: Carriage) -> Performance:
        """The performance of the exchange at `place` with these faults of the plan armed."""
        if plan is not self._plan:
            self._plan = plan
            self._of.cache_clear()
        return self._of(place, armed, carriage)

    def _made(self, place: int, armed: frozenset[int], carriage: Carriage) -> Performance:
        return performance(self._exchanges[place], self._plan, armed, carriage)


def performance(
    exchange: Exchange, plan: Plan, armed: frozenset[int], carriage: Carriage
) -> Performance:
    """The performance of `exchange` with these faults of the plan armed."""
    made = schedule(exchange, plan, armed)
    moves = compiled(made, framing(made, carriage))
    if carriage == "head":
        moves = tuple(move for move in moves if not isinstance(move, Batch))
    return Performance(moves, made.faults)


def framing(made: Schedule, carriage: Carriage) -> Framing:
    """How what is sent is delimited."""
    if carriage == "websocket":
        return WEBSOCKET
    if carriage == "binary websocket":
        return BINARY
    return CHUNKED if made.chunked and carriage == "http/1.1" else PLAIN
