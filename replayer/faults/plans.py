"""A plan: what shall go wrong, where chance decides by which seed, and how fast to play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from .vocabulary import Fault, word_of
from .words import Side


@dataclass(frozen=True)
class Pacing:
    """How recorded time becomes replay time: every offset is multiplied by `factor`. 1 plays as
    recorded, 0 as fast as the other side takes it.
    """

    factor: float = 1.0

    def scale(self, offset_us: int) -> int:
        """Microseconds from the start, as replayed."""
        return round(offset_us * self.factor)


RECORDED: Final = Pacing(1.0)
MAX: Final = Pacing(0.0)


@dataclass(frozen=True)
class Plan:
    """What shall go wrong, where chance decides by which seed, and how fast to play."""

    faults: tuple[Fault, ...] = ()
    seed: int = 0
    pacing: Pacing = field(default=RECORDED)

    def part(self, side: Side) -> Plan:
        """The plan with the faults that `side` can execute, for those who compose several."""
        kept = tuple(fault for fault in self.faults if side in word_of(fault).sides)
        return Plan(kept, self.seed, self.pacing)

    def misplaced(self, side: Side) -> Iterable[Fault]:
        """The faults that `side` can never execute."""
        return (fault for fault in self.faults if side not in word_of(fault).sides)
