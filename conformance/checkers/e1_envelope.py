"""E1: every event states the envelope."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.events import TERMINALS

CLAUSE: Final = "E1"
SENTENCE: Final = (
    "Every event states version, id, run, number, time since the run began, and whether "
    "it is a terminal."
)
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """Version 1, an id made of run and number, no negative time, and `terminal` where it is one."""
    for event in run.events:
        if event.v != 1:
            yield broken(CLAUSE, event, f"version {event.v} is not turn/1")
        if event.id != f"{event.run_id}:{event.seq}":
            yield broken(CLAUSE, event, f"id {event.id!r} is not run and number")
        if event.at_ms < 0:
            yield broken(CLAUSE, event, f"{-event.at_ms} ms before its run began")
        if event.terminal != isinstance(event, TERMINALS):
            yield broken(CLAUSE, event, f"terminal is {event.terminal} on {type(event).__name__}")
