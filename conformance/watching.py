"""How a clause is watched: event by event, one run at a time.

A *watch* keeps what its clause needs to remember of a run, and says what is wrong with an event as
it comes. Watches can be copied: streams that share a beginning are judged once up to where they
part, which is what makes sweeps cheap.

Nothing here comes from the lifecycle's tables, and no watch may import them: a table must not
approve itself. Watches know event types, observations and the fold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Self

import msgspec

from turnreel.adapters.base import Arrival
from turnreel.lifecycle.events import (
    AnyEvent,
    Cancelled,
    Evidence,
    Failed,
    Final,
    NeedsInput,
)
from turnreel.lifecycle.observations import AnyObservation

from .testimony import Testimony

AnyTerminal = Final | NeedsInput | Failed | Cancelled

Faults = Iterable[str]
"""What is wrong, a sentence each; empty if nothing is."""


class Violation(msgspec.Struct, frozen=True, kw_only=True):
    """A clause that does not hold, and where. `evidence` are the frames of the event at `seq`."""

    clause: str
    run_id: str
    message: str
    seq: int
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, eq=False)
class Native:
    """What came in: arrivals by the number that evidence names, what the adapters observed in
    each, the retry bounds that the session's dialects declare (R7), and which of them are secondary
    (C8). `turns` are the native turns of each run, `testimony` what was observed of it.
    """

    arrivals: Mapping[int, Arrival]
    observed: Mapping[int, Sequence[AnyObservation]]
    retry_bounds: Mapping[str, int] = field(default_factory=dict)
    secondary: frozenset[str] = frozenset()
    turns: Mapping[str, Collection[str]] = field(default_factory=dict)
    testimony: Mapping[str, Testimony] = field(default_factory=dict)

    def observed_at(self, event: AnyEvent) -> list[AnyObservation]:
        """What the adapters observed in the frames that caused `event`."""
        return [seen for ref in event.evidence for seen in self.observed.get(ref.index, ())]

    def arrivals_of(self, event: AnyEvent) -> list[Arrival]:
        """The arrivals that caused `event`."""
        return [self.arrivals[r.index] for r in event.evidence if r.index in self.arrivals]


class Watch:
    """One clause over one run. A subclass overrides the hooks it needs, each a generator of faults
    or a function returning some; all are total over any event.

    `native` is None where only events are known: a watch that cannot do without it then says
    nothing. `earlier` are the ids of the runs that began before this one.
    """

    clause: ClassVar[str]
    sentence: ClassVar[str]
    """What the clause demands of events, in one sentence."""
    reads: ClassVar[Literal["events", "both", "native"]] = "events"
    """What it is judged from: events; also the native side where that is known; nothing without it.
    """

    def __init__(self, native: Native | None, earlier: frozenset[str]) -> None:
        self.native = native
        self.earlier = earlier
        self.begin()

    def begin(self) -> None:
        """Set what the watch remembers: immutable values, and dicts or sets of such."""

    def every(self, event: AnyEvent) -> Faults:
        """Any event, before the hook of its place."""
        return ()

    def told(self, event: AnyEvent) -> Faults:
        """An event before the terminal."""
        return ()

    def ended(self, terminal: AnyTerminal) -> Faults:
        """The first terminal."""
        return ()

    def later(self, event: AnyEvent) -> Faults:
        """An event after the first terminal."""
        return ()

    def whole(self, events: Sequence[AnyEvent]) -> Faults:
        """All events of the run, once, when no more will come. Not asked of every swept stream."""
        return ()

    def copy(self) -> Self:
        """A watch that goes on by itself from here."""
        other = type(self).__new__(type(self))
        for name, value in vars(self).items():
            setattr(other, name, value.copy() if isinstance(value, dict | set) else value)
        return other
