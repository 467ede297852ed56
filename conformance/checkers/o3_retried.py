"""O3: what will be retried fails nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.events import Failed, Health

CLAUSE: Final = "O3"
SENTENCE: Final = "An error that the runtime says it will retry is not what the run fails of."
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """A failure told by the very frame that announced a retry."""
    terminal = run.terminal
    if not isinstance(terminal, Failed) or not terminal.evidence:
        return
    for event in run.before:
        if isinstance(event, Health) and event.will_retry and event.evidence == terminal.evidence:
            yield broken(CLAUSE, terminal, "failed by an error that will be retried")
