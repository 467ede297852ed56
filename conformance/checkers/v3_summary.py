"""V3: one answer stands beneath."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.fold import fold

CLAUSE: Final = "V3"
SENTENCE: Final = "After the terminal a run shows exactly one answer: the terminal's text."
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """The folded view of a run that ended."""
    terminal = run.terminal
    if terminal is None:
        return
    views = fold(run.events)
    if len(views) != 1 or (shown := views[0].terminal) is None or shown.text != terminal.text:
        yield broken(CLAUSE, terminal, "the view's answer is not the terminal's")
