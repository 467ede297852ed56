"""T6: health after the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.events import Health

CLAUSE: Final = "T6"
SENTENCE: Final = (
    "After the terminal only health may follow; it degrades, once, and promises no retry."
)
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """Health after the terminal that recovers, repeats itself or speaks of retries."""
    later = [event for event in run.after if isinstance(event, Health)]
    for event in later:
        if event.state != "degraded" or event.will_retry:
            yield broken(CLAUSE, event, f"health {event.state} after the terminal")
    for event in later[1:]:
        yield broken(CLAUSE, event, "health moves again after the terminal")
