"""V1: the fold is a function of the set of events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation
from turnreel.lifecycle.fold import fold

CLAUSE: Final = "V1"
SENTENCE: Final = (
    "Folding gives the same view whatever the order of the events and however often each came."
)
READS: Final = "session"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """The view of this run and its children from doubled and from reversed events."""
    view = fold(run.events)
    if fold((*run.events, *run.events)) != view:
        yield Violation(clause=CLAUSE, run_id=run.run_id, message="doubled events fold otherwise")
    if fold(reversed(run.events)) != view:
        yield Violation(clause=CLAUSE, run_id=run.run_id, message="reversed events fold otherwise")
