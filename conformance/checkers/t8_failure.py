"""T8: a failure says why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.events import Failed

CLAUSE: Final = "T8"
SENTENCE: Final = (
    "failed carries a code, whether a retry may help, and one sentence; no other terminal "
    "has a code of failure."
)
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """Code, retryable and a single line."""
    terminal = run.terminal
    if terminal is None:
        return
    if not isinstance(terminal, Failed):
        if terminal.code is not None:
            yield broken(CLAUSE, terminal, f"{type(terminal).__name__} with code {terminal.code}")
        return
    if terminal.code is None or terminal.retryable is None:
        yield broken(CLAUSE, terminal, "no code, or not said whether a retry may help")
    if "\n" in terminal.text:
        yield broken(CLAUSE, terminal, "more than one line")
