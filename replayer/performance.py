"""A plan's performances of recorded exchanges, each worked out once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal

import msgspec

from .compiling import CHUNKED, PLAIN, Batch, Move, compiled
from .faults import Plan
from .schedule import schedule
from .script import Exchange

KEPT: Final = 64
"""How many performances are remembered: a crowd asks for few exchanges at a time."""

Carriage = Literal["http/1.1", "http/1.0", "head"]
"""What the client can take: chunks, a body that ends with the connection, or no body at all."""


class Performance(msgspec.Struct, frozen=True):
    """The moves of one exchange, and the faults of the plan among them."""

    moves: tuple[Move, ...]
    faults: frozenset[int]


class Performances:
    """Performances of `exchanges` under `plan`. Equal questions get equal answers, so they are
    remembered.
    """

    def __init__(self, plan: Plan, exchanges: Iterable[Exchange]) -> None:
        self._plan = plan
        self._exchanges = {exchange.number: exchange for exchange in exchanges}
        self.of = lru_cache(KEPT)(self._of)

    def _of(self, number: int, armed: frozenset[int], carriage: Carriage) -> Performance:
        """The performance of exchange `number` with these faults armed."""
        made = schedule(self._exchanges[number], self._plan, armed)
        moves = compiled(made, CHUNKED if made.chunked and carriage == "http/1.1" else PLAIN)
        if carriage == "head":
            moves = tuple(move for move in moves if not isinstance(move, Batch))
        return Performance(moves, made.faults)
