"""Y: a run starts once, with its start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.events import RunStarted

CLAUSE: Final = "Y"
SENTENCE: Final = (
    "The first event of a run, and no other, is run.started; it names thread, agent and dialect."
)
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """`run.started` first, nowhere else, and complete."""
    first = run.events[0]
    if not isinstance(first, RunStarted):
        yield broken(CLAUSE, first, f"the run starts with {type(first).__name__}")
    elif not (first.thread_id and first.agent and first.dialect):
        yield broken(CLAUSE, first, "the start lacks thread, agent or dialect")
    for event in run.events[1:]:
        if isinstance(event, RunStarted):
            yield broken(CLAUSE, event, "the run starts again")
