"""O1: type and outcome agree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import AnyTerminal, Run, Session, Violation, broken
from turnreel.lifecycle.events import Cancelled, Failed, NeedsInput, Outcome
from turnreel.lifecycle.events import Final as Answer

CLAUSE: Final = "O1"
SENTENCE: Final = (
    "final is completed, needs_input blocked, cancelled interrupted, failed failed; "
    "abandoned is a failure with that code."
)
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """An outcome that is not its type's."""
    terminal = run.terminal
    if terminal is not None and terminal.outcome != (due := _due(terminal)):
        yield broken(CLAUSE, terminal, f"outcome {terminal.outcome} where {due} was due")


def _due(terminal: AnyTerminal) -> Outcome:
    match terminal:
        case Answer():
            return "completed"
        case NeedsInput():
            return "blocked"
        case Cancelled():
            return "interrupted"
        case Failed(code="abandoned"):
            return "abandoned"
        case Failed():
            return "failed"
