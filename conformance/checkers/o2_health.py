"""O2: health moves and is repeated."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import AnyTerminal, Watch
from turnreel.lifecycle.events import AnyEvent, Failed, Final, Health, HealthState

_NO_TROUBLE = frozenset(
    {
        "max_turns", "budget", "quota", "context_exhausted", "output_truncated", "policy",
        "refused", "hook_stopped",
    }
)  # fmt: skip
"""Codes of failure that are a limit or a policy, no trouble of the runtime."""


class Checker(Watch):
    """Health moves and is repeated."""

    clause = "O2"
    sentence = (
        "Only trouble is recovered from, once; the terminal repeats the state, a failure that "
        "is no limit degrades, and a healthy final had no trouble."
    )

    def begin(self) -> None:
        self.state: HealthState = "healthy"

    def told(self, event: AnyEvent) -> Iterator[str]:
        if isinstance(event, Health):
            recovers = event.state == "recovered" and self.state == "degraded"
            if event.state != "degraded" and not recovers:
                yield f"{event.state} while {self.state}"
            self.state = event.state

    def ended(self, terminal: AnyTerminal) -> Iterator[str]:
        due = _due(terminal, self.state)
        if terminal.health not in due:
            yield f"{terminal.health} where {' or '.join(sorted(due))} was due"


def _due(terminal: AnyTerminal, state: HealthState) -> set[HealthState]:
    if isinstance(terminal, Failed) and terminal.code not in _NO_TROUBLE:
        return {"degraded"}
    if isinstance(terminal, Final):
        return {state, "degraded"}  # texts at odds degrade the final itself (C6)
    return {state}
