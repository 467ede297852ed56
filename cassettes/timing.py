"""Times in a cassette: as they were, or rounded so that a fixture's diff shows what was said."""

from __future__ import annotations

import enum
from typing import Final

_MILLISECOND: Final = 1_000


class Timing(enum.Enum):
    """How the time between two records is written."""

    EXACT = "exact"
    NORMALIZED = "normalized"

    def of(self, us: int) -> int:
        """The microseconds to write for a gap of `us`."""
        return us if self is Timing.EXACT else normalized(us)


def normalized(us: int) -> int:
    """A gap rounded to the nearest of 0 and 1, 2 and 5 times a power of ten milliseconds.

    Two runs of the same session mostly agree under it, and a wait stays a wait. Idempotent and
    monotonic.
    """
    if us * 2 < _MILLISECOND:
        return 0
    step = _MILLISECOND
    while us >= 10 * step:
        step *= 10
    return min((step, 2 * step, 5 * step, 10 * step), key=lambda rung: abs(rung - us))
