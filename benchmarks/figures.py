"""What a benchmark reports: a figure, and the bound it must keep.

A benchmark is a module ``benchmarks/bench_<what>.py`` with ``measure() -> Iterable[Figure]``.
Figures are ratios to a baseline measured in the same run wherever that is possible.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Bound:
    """`must` is kept or the figure fails; `stretch` is what we strive for."""

    side: Literal["at most", "at least"]
    must: float
    stretch: float | None = None

    def verdict(self, value: float) -> Literal["stretch", "ok", "MISSED"]:
        """How `value` stands against this bound."""
        if self.stretch is not None and self._keeps(value, self.stretch):
            return "stretch"
        return "ok" if self._keeps(value, self.must) else "MISSED"

    def _keeps(self, value: float, limit: float) -> bool:
        return value <= limit if self.side == "at most" else value >= limit


def at_most(must: float, stretch: float | None = None) -> Bound:
    """A bound from above."""
    return Bound("at most", must, stretch)


def at_least(must: float, stretch: float | None = None) -> Bound:
    """A bound from below."""
    return Bound("at least", must, stretch)


@dataclass(frozen=True)
class Figure:
    """One measured value. `unit` is ``x`` for a ratio; `note` says against what."""

    what: str
    value: float
    unit: str
    bound: Bound | None = None
    note: str = ""


def median_seconds(run: Callable[[], object], rounds: int = 7) -> float:
    """The median duration of `run` over `rounds` calls, after one that is not counted."""
    run()
    durations = []
    for _ in range(rounds):
        started = time.perf_counter()
        run()
        durations.append(time.perf_counter() - started)
    return statistics.median(durations)
