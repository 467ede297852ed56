"""A plan's performances of recorded exchanges, each worked out once; but those of long answers
without a fault as they are played, so that nobody pays for one in memory.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, Literal

import msgspec

from .compiling import BINARY, CHUNKED, PLAIN, WEBSOCKET, Batch, Framing, Move, compiled
from .compiling import moves as moves_of
from .faults import Pacing, Plan
from .recorded import exchange_steps, paced
from .schedule import schedule
from .script import Exchange
from .steps import Schedule, Step

KEPT_BYTES: Final = 16 << 20
"""How much of performances is remembered, about: a crowd asks for few exchanges at a time."""

LONG: Final = 1 << 20
"""An answer of more bytes is long."""

MOVE_BYTES: Final = 200
"""What a move takes beside what it sends, about."""

Carriage = Literal["http/1.1", "http/1.0", "head", "websocket", "binary websocket"]
"""What the client can take: chunks, a body that ends with the connection, no body at all, or
messages, of text or not.
"""


class Performance(msgspec.Struct, frozen=True):
    """The moves of one exchange, which can be gone through again, and the faults of the plan among
    them.
    """

    moves: Iterable[Move]
    faults: frozenset[int]

    @property
    def size(self) -> int:
        """What it takes in memory, about."""
        if not isinstance(self.moves, tuple):
            return 0
        wires = sum(len(move.wire) for move in self.moves if isinstance(move, Batch))
        return wires + MOVE_BYTES * len(self.moves)


class Performances:
    """Performances of `exchanges`, by their place. Equal questions get equal answers, so they are
    remembered while the plan is the same: the latest, up to `KEPT_BYTES`, or one that is larger.
    """

    def __init__(self, exchanges: Sequence[Exchange]) -> None:
        self._exchanges = exchanges
        self._plan = Plan()
        self._kept: OrderedDict[object, Performance] = OrderedDict()
        self._size = 0

    def of(self, place: int, plan: Plan, armed: frozenset[int], carriage: Carriage) -> Performance:
        """The performance of the exchange at `place` with these faults of the plan armed."""
        if plan is not self._plan:
            self._plan = plan
            self._kept.clear()
            self._size = 0
        asked = place, armed, carriage
        made = self._kept.get(asked)
        if made is None:
            made = self._kept[asked] = performance(self._exchanges[place], plan, armed, carriage)
            self._size += made.size
        self._kept.move_to_end(asked)
        while self._size > KEPT_BYTES and len(self._kept) > 1:
            self._size -= self._kept.popitem(last=False)[1].size
        return made


def performance(
    exchange: Exchange, plan: Plan, armed: frozenset[int], carriage: Carriage
) -> Performance:
    """The performance of `exchange` with these faults of the plan armed."""
    if not armed and exchange.size > LONG:
        return Performance(_Played(exchange, plan.pacing, carriage), frozenset())
    made = schedule(exchange, plan, armed)
    moves: tuple[Move, ...] = compiled(made, framing(made, carriage))
    if carriage == "head":
        moves = tuple(_bodiless(moves))
    return Performance(moves, made.faults)


class _Played:
    """The moves of a long answer as it was recorded, made anew by each who goes through them."""

    def __init__(self, exchange: Exchange, pacing: Pacing, carriage: Carriage) -> None:
        self._exchange = exchange
        self._pacing = pacing
        self._carriage = carriage

    def __iter__(self) -> Iterator[Move]:
        head = Schedule(tuple(islice(self._steps(), 1)))
        moves = moves_of(self._steps(), framing(head, self._carriage))
        return _bodiless(moves) if self._carriage == "head" else moves

    def _steps(self) -> Iterator[Step]:
        return paced(exchange_steps(self._exchange), self._pacing)


def _bodiless(moves: Iterable[Move]) -> Iterator[Move]:
    return (move for move in moves if not isinstance(move, Batch))


def framing(made: Schedule, carriage: Carriage) -> Framing:
    """How what is sent is delimited."""
    if carriage == "websocket":
        return WEBSOCKET
    if carriage == "binary websocket":
        return BINARY
    return CHUNKED if made.chunked and carriage == "http/1.1" else PLAIN
