"""E2: numbers are dense."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken

CLAUSE: Final = "E2"
SENTENCE: Final = "The events of a run are numbered 1, 2, 3 and so on, in the order they come."
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """The first gap, repetition or inversion; what follows it is no news."""
    for place, event in enumerate(run.events, 1):
        if event.seq != place:
            yield broken(CLAUSE, event, f"number {event.seq} where {place} was due")
            return
