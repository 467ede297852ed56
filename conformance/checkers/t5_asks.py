"""T5: needs_input asks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.events import Final as Answer
from turnreel.lifecycle.events import InputRequested, InputResolved, NeedsInput

CLAUSE: Final = "T5"
SENTENCE: Final = (
    "needs_input carries one prompt to act on, and the gate it names was parked; only "
    "needs_input parks a gate; every terminal has a message."
)
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """Prompt, parked gate, and a message on every terminal but an empty final (C5)."""
    terminal = run.terminal
    if terminal is None:
        return
    if not terminal.text.strip() and not isinstance(terminal, Answer):
        yield broken(CLAUSE, terminal, "no message a person can act on")
    parked = [e for e in run.before if isinstance(e, InputResolved) and e.resolution == "parked"]
    asked = terminal.request_id if isinstance(terminal, NeedsInput) else None
    for event in parked:
        if event.request_id != asked:
            yield broken(CLAUSE, event, "parked, but not what the terminal asks for")
    known = {e.request_id for e in run.before if isinstance(e, InputRequested)}
    if asked is not None and asked in known and not parked:
        yield broken(CLAUSE, terminal, "the gate asked for was not parked")
