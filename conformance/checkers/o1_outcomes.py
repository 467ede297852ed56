"""O1: type and outcome agree."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import AnyTerminal, Watch
from turnreel.lifecycle.events import Cancelled, Failed, Final, NeedsInput, Outcome


class Checker(Watch):
    """Type and outcome agree."""

    clause = "O1"
    sentence = (
        "final is completed, needs_input blocked, cancelled interrupted, failed failed; "
        "abandoned is a failure with that code."
    )

    def ended(self, terminal: AnyTerminal) -> Iterator[str]:
        due = _due(terminal)
        if terminal.outcome != due:
            yield f"outcome {terminal.outcome} where {due} was due"


def _due(terminal: AnyTerminal) -> Outcome:
    match terminal:
        case Final():
            return "completed"
        case NeedsInput():
            return "blocked"
        case Cancelled():
            return "interrupted"
        case Failed(code="abandoned"):
            return "abandoned"
        case Failed():
            return "failed"
