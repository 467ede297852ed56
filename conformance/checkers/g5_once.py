"""G5: a gate closes once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.events import InputRequested, InputResolved

CLAUSE: Final = "G5"
SENTENCE: Final = "A gate is asked once and resolved once; what closes was open."
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """Gates asked again, resolved again, or resolved without having been asked."""
    asked: set[str] = set()
    resolved: set[str] = set()
    for event in run.events:
        if isinstance(event, InputRequested):
            if event.request_id in asked:
                yield broken(CLAUSE, event, "asked again")
            asked.add(event.request_id)
        elif isinstance(event, InputResolved):
            if event.request_id not in asked:
                yield broken(CLAUSE, event, f"{event.resolution}, but never asked")
            elif event.request_id in resolved:
                yield broken(CLAUSE, event, f"{event.resolution} after it was resolved")
            resolved.add(event.request_id)
