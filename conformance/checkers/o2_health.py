"""O2: health moves and is repeated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import AnyTerminal, Run, Session, Violation, broken
from turnreel.lifecycle.events import Failed, Health, HealthState
from turnreel.lifecycle.events import Final as Answer

CLAUSE: Final = "O2"
SENTENCE: Final = (
    "Only trouble is recovered from, once; the terminal repeats the state, a failure that "
    "is no limit degrades, and a healthy final had no trouble."
)
READS: Final = "run"


_NO_TROUBLE: Final = frozenset(
    {
        "max_turns", "budget", "quota", "context_exhausted", "output_truncated", "policy",
        "refused", "hook_stopped",
    }
)  # fmt: skip
"""Codes of failure that are a limit or a policy, no trouble of the runtime."""


def check(run: Run, session: Session) -> Iterator[Violation]:
    """Recoveries without trouble, and terminals at odds with what was told."""
    state: HealthState = "healthy"
    for event in run.before:
        if isinstance(event, Health):
            if event.state == "healthy" or (event.state == "recovered" and state != "degraded"):
                yield broken(CLAUSE, event, f"{event.state} while {state}")
            state = event.state
    terminal = run.terminal
    if terminal is not None and terminal.health not in (due := _due(terminal, state)):
        told = " or ".join(sorted(due))
        yield broken(CLAUSE, terminal, f"{terminal.health} where {told} was due")


def _due(terminal: AnyTerminal, state: HealthState) -> set[HealthState]:
    if isinstance(terminal, Failed) and terminal.code not in _NO_TROUBLE:
        return {"degraded"}
    if isinstance(terminal, Answer):
        return {state, "degraded"}  # texts at odds degrade the final itself (C6)
    return {state}
