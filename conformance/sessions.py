"""What a checker is given: the events of one session, run by run, and what is known of the native
side.

Nothing here comes from the lifecycle's tables, and no checker may import them: a table must not
approve itself. Checkers know event types, observations and the fold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import msgspec

from turnreel.adapters.base import Arrival
from turnreel.lifecycle.events import (
    TERMINALS,
    AnyEvent,
    Cancelled,
    Evidence,
    Failed,
    Final,
    NeedsInput,
)
from turnreel.lifecycle.observations import AnyObservation

AnyTerminal = Final | NeedsInput | Failed | Cancelled


class Violation(msgspec.Struct, frozen=True, kw_only=True):
    """A clause that does not hold, and where. `evidence` are the frames of the event at `seq`."""

    clause: str
    run_id: str
    message: str
    seq: int | None = None
    evidence: tuple[Evidence, ...] = ()


def broken(clause: str, event: AnyEvent, message: str) -> Violation:
    """The violation that `event` is."""
    return Violation(
        clause=clause,
        run_id=event.run_id,
        message=message,
        seq=event.seq,
        evidence=event.evidence,
    )


@dataclass(frozen=True)
class Native:
    """What came in: arrivals by the number that evidence names, what the adapters observed in
    each, and the retry bounds that the session's dialects declare (R7).
    """

    arrivals: Mapping[int, Arrival]
    observed: Mapping[int, Sequence[AnyObservation]]
    retry_bounds: Mapping[str, int] = field(default_factory=dict)

    def observed_at(self, event: AnyEvent) -> list[AnyObservation]:
        """What the adapters observed in the frames that caused `event`."""
        return [seen for ref in event.evidence for seen in self.observed.get(ref.index, ())]

    def arrivals_of(self, event: AnyEvent) -> list[Arrival]:
        """The arrivals that caused `event`."""
        return [self.arrivals[r.index] for r in event.evidence if r.index in self.arrivals]


@dataclass(frozen=True)
class Run:
    """One run's events in the order they came; never empty."""

    events: tuple[AnyEvent, ...]

    @property
    def run_id(self) -> str:
        """The run's id."""
        return self.events[0].run_id

    @cached_property
    def end(self) -> int:
        """The place of the first terminal; the number of events if there is none."""
        return next(
            (place for place, one in enumerate(self.events) if isinstance(one, TERMINALS)),
            len(self.events),
        )

    @property
    def terminal(self) -> AnyTerminal | None:
        """The first terminal."""
        last = self.events[self.end] if self.end < len(self.events) else None
        return last if isinstance(last, TERMINALS) else None

    @property
    def before(self) -> tuple[AnyEvent, ...]:
        """What came before the terminal."""
        return self.events[: self.end]

    @property
    def after(self) -> tuple[AnyEvent, ...]:
        """What came after it."""
        return self.events[self.end + 1 :]


@dataclass(frozen=True)
class Session:
    """All events of a session in the order they came, and the native side where it is known."""

    events: tuple[AnyEvent, ...]
    native: Native | None = None

    @cached_property
    def runs(self) -> dict[str, Run]:
        """The runs by id, in the order of their first event."""
        grouped: dict[str, list[AnyEvent]] = {}
        for event in self.events:
            grouped.setdefault(event.run_id, []).append(event)
        return {run_id: Run(tuple(events)) for run_id, events in grouped.items()}


def session(events: Iterable[AnyEvent], native: Native | None = None) -> Session:
    """The session of `events`."""
    return Session(tuple(events), native)
