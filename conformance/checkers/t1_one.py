"""T1: one terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.events import TERMINALS

CLAUSE: Final = "T1"
SENTENCE: Final = "A run has at most one terminal."
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """Every terminal after the first."""
    for event in run.after:
        if isinstance(event, TERMINALS):
            yield broken(CLAUSE, event, f"a second terminal, {type(event).__name__}")
