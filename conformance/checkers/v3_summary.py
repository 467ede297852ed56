"""V3: one answer stands beneath."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.fold import CommentaryEntry, GateEntry, fold

CLAUSE: Final = "V3"
SENTENCE: Final = (
    "After the terminal a run shows exactly one answer, the terminal's text, and nothing "
    "in it is unfinished."
)
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """The folded view of a run that ended."""
    terminal = run.terminal
    if terminal is None:
        return
    views = fold(run.events)
    if len(views) != 1 or (shown := views[0].terminal) is None or shown.text != terminal.text:
        yield broken(CLAUSE, terminal, "the view's answer is not the terminal's")
        return
    for entry in views[0].entries:
        if isinstance(entry, CommentaryEntry) and not entry.done:
            yield broken(CLAUSE, terminal, f"commentary {entry.text[:40]!r} never finishes")
        if isinstance(entry, GateEntry) and entry.resolution is None:
            yield broken(CLAUSE, terminal, f"a gate ({entry.kind}) still waits in the view")
