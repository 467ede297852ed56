"""What a server did, as it goes on: the latest in full, all of it in numbers."""

from __future__ import annotations

from collections import deque
from typing import Final

from msgspec.structs import replace

from .arming import FaultCount
from .report import AlikeMisses, Missed, Report, Served

KEPT: Final = 1000
"""How many requests, misses, and reasons of misses are kept: a server may run for weeks."""


class Journal:
    """The requests of a server. Memory is bounded; the counts are not."""

    def __init__(self) -> None:
        self._served: deque[Served] = deque(maxlen=KEPT)
        self._misses: deque[Missed] = deque(maxlen=KEPT)
        self._alike: dict[tuple[str | None, int | None, str], AlikeMisses] = {}
        self.requests = 0
        """How many came in."""
        self._done = 0
        self._missed = 0

    def begin(self) -> int:
        """The number of a request that came in."""
        self.requests += 1
        return self.requests

    def served(self, one: Served) -> None:
        """A request was answered."""
        self._done += 1
        self._served.append(one)

    def missed(self, one: Missed) -> None:
        """Nothing recorded answers a request."""
        self._missed += 1
        self._misses.append(one)
        what = one.cassette, one.nearest, one.reason
        if (before := self._alike.get(what)) is not None:
            self._alike[what] = replace(before, count=before.count + 1, last=one.request)
        elif len(self._alike) < KEPT:
            self._alike[what] = AlikeMisses(
                1, one.request, one.request, one.reason, one.nearest, one.cassette
            )

    def forget(self) -> None:
        """Begin anew, but for the numbers of requests."""
        self._served.clear()
        self._misses.clear()
        self._alike.clear()
        self._done = self._missed = 0

    def report(self, cassette: str, seed: int, faults: tuple[FaultCount, ...]) -> Report:
        """What happened until now."""
        return Report(
            cassette=cassette,
            seed=seed,
            served=tuple(self._served),
            misses=tuple(self._misses),
            faults=faults,
            requests=self._done,
            missed=self._missed,
            alike=tuple(self._alike.values()),
        )
