"""O6, R9: parents, causes and continuations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.events import RunStarted

CLAUSE: Final = "O6"
SENTENCE: Final = (
    "A parent, a causing and a continued run is another run of the session that began before."
)
READS: Final = "session"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """Names of runs that are not there, not yet there, or the run itself."""
    start = run.events[0]
    if not isinstance(start, RunStarted):
        return
    earlier = set()
    for run_id in session.runs:
        if run_id == run.run_id:
            break
        earlier.add(run_id)
    for role, name in (
        ("parent", start.parent_run_id),
        ("cause", start.caused_by),
        ("continued run", start.continues),
    ):
        if name is not None and name not in earlier:
            yield broken(CLAUSE, start, f"the {role} {name} did not begin before")
