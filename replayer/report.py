"""What a replay did, as plain values: for tests, for JSON, for one line on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from .arming import FaultCount


class Served(msgspec.Struct, frozen=True):
    """One request, or one message on a WebSocket, and what it got. `exchange` is the recorded one
    that answered and `cassette` where it stands; `client` is who asked, numbered by appearance;
    `unflushed` the bytes that were not acknowledged when a reset could wait no longer.
    """

    request: int
    method: str
    path: str
    exchange: int | None
    form: Literal["recorded", "whole", "probe", "miss", "forwarded"]
    ended: str
    status: int
    sent: int = 0
    events: int = 0
    faults: tuple[str, ...] = ()
    unflushed: int = 0
    cassette: str | None = None
    client: int = 0


class Missed(msgspec.Struct, frozen=True):
    """A request that nothing recorded answers, and why."""

    request: int
    reason: str
    nearest: int | None
    cassette: str | None = None


class AlikeMisses(msgspec.Struct, frozen=True):
    """Misses with the same nearest recording and the same difference: how many, and the numbers of
    the first and the last such request.
    """

    count: int
    first: int
    last: int
    reason: str
    nearest: int | None
    cassette: str | None

    def line(self) -> str:
        """For people."""
        if self.count == 1:
            return f"miss: request {self.first}: {self.reason}"
        return f"miss: {self.count} requests, {self.first} to {self.last}: {self.reason}"


class Report(msgspec.Struct, frozen=True):
    """The end report of what was served. `requests` and `missed` count all of them; `served` and
    `misses` are the latest, and `alike` are all misses by what they have in common, but for those
    that came with one reason more than are kept.
    """

    cassette: str
    seed: int
    served: tuple[Served, ...]
    misses: tuple[Missed, ...]
    faults: tuple[FaultCount, ...]
    requests: int = 0
    missed: int = 0
    alike: tuple[AlikeMisses, ...] = ()

    @property
    def unfired(self) -> tuple[FaultCount, ...]:
        """Faults that fired less often than planned."""
        return tuple(count for count in self.faults if count.is_short)

    def lines(self) -> Iterator[str]:
        """The report for people."""
        answered = self.requests - self.missed
        yield f"answered {answered} of {self.requests} requests from {self.cassette}"
        for misses in self.alike:
            yield misses.line()
        if (more := self.missed - sum(misses.count for misses in self.alike)) > 0:
            yield f"miss: {more} for other reasons, which are not kept"
        for count in self.faults:
            told = f"fired {count.fired} of {count.planned}"
            told += ", disarmed" if count.disarmed else ""
            yield f"fault: {count.fault} {told} (seed {self.seed})"
