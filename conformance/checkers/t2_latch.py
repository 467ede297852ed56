"""T2: the terminal is latched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.events import TERMINALS, Health

CLAUSE: Final = "T2"
SENTENCE: Final = "What comes after the terminal is dropped: nothing of the turn is told any more."
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """Whatever is told after the terminal and is neither health (T6) nor a terminal (T1)."""
    for event in run.after:
        if not isinstance(event, Health) and not isinstance(event, TERMINALS):
            yield broken(CLAUSE, event, f"{type(event).__name__} after the terminal")
