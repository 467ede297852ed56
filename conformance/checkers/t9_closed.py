"""T9: everything is closed before the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.events import Activity, InputRequested, InputResolved

CLAUSE: Final = "T9"
SENTENCE: Final = "At the terminal no activity and no gate is open."
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """What is still open when the terminal comes, at the terminal."""
    terminal = run.terminal
    if terminal is None:
        return
    waiting: dict[str, str] = {}
    for event in run.before:
        match event:
            case Activity(state="started" | "progress"):
                waiting[event.activity_id] = f"activity {event.name}"
            case Activity():
                waiting.pop(event.activity_id, None)
            case InputRequested():
                waiting[event.request_id] = f"gate {event.kind}"
            case InputResolved():
                waiting.pop(event.request_id, None)
    for key, what in waiting.items():
        yield broken(CLAUSE, terminal, f"{what} ({key}) is still open")
