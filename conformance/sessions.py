"""Events of a session, taken apart into runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from turnreel.lifecycle.events import (
    TERMINALS,
    AnyEvent,
    Health,
    InputRequested,
    InputResolved,
)

from .watching import AnyTerminal


def runs_of(events: Iterable[AnyEvent]) -> dict[str, tuple[AnyEvent, ...]]:
    """The events of each run, runs in the order of their first event."""
    grouped: dict[str, list[AnyEvent]] = {}
    for event in events:
        grouped.setdefault(event.run_id, []).append(event)
    return {run_id: tuple(events) for run_id, events in grouped.items()}


def terminal_of(events: Iterable[AnyEvent], run_id: str) -> AnyTerminal | None:
    """The first terminal of a run."""
    for event in events:
        if event.run_id == run_id and isinstance(event, TERMINALS):
            return event
    return None


def at_their_ends(events: Iterable[AnyEvent]) -> list[AnyEvent]:
    """Events as readers that keep the latch take them: nothing but health after a terminal (T2)."""
    ended: set[str] = set()
    taken: list[AnyEvent] = []
    for event in events:
        if event.run_id not in ended or isinstance(event, Health):
            taken.append(event)
        if isinstance(event, TERMINALS):
            ended.add(event.run_id)
    return taken


@dataclass
class OpenRuns:
    """The runs that have begun and not ended, and the gates that each waits for, event by event. A
    question that does not block is none of them (G7).
    """

    gates: dict[str, frozenset[str]] = field(default_factory=dict)
    _ended: set[str] = field(default_factory=set)

    def see(self, event: AnyEvent) -> None:
        """Take the next event into account."""
        run_id = event.run_id
        if run_id in self._ended:
            return
        waiting = self.gates.setdefault(run_id, frozenset())
        match event:
            case InputRequested(blocking=True):
                self.gates[run_id] = waiting | {event.request_id}
            case InputResolved():
                self.gates[run_id] = waiting - {event.request_id}
            case _ if isinstance(event, TERMINALS):
                del self.gates[run_id]
                self._ended.add(run_id)
            case _:
                pass
