"""Which runs of a session's journal are open: children have no voice of their own."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.lifecycle.events import TERMINALS, RunStarted
from turnreel.lifecycle.notices import Fact

from .moments import Moment

ENDS = frozenset({"concluded", "ended", "error", "given_up"})  # the last is an older session's


class Voices:
    """The open runs, followed fact by fact."""

    def __init__(self) -> None:
        self.open: set[str] = set()

    def open_before(self, fact: Fact | None) -> frozenset[str]:
        """Those that were open when `fact` happened; `open` are those after it."""
        before = frozenset(self.open)
        match fact:
            case RunStarted(run_id=run, seq=1, parent_run_id=None):
                self.open.add(run)
            case _ if isinstance(fact, TERMINALS):
                self.open.discard(fact.run_id)
            case _:
                pass
        return before

    def falls_silent(self, fact: Fact | None) -> bool:
        """Whether `fact` ends the last open run."""
        return bool(self.open_before(fact)) and not self.open


def rests_wrong(moment: Moment, due: str) -> Iterator[str]:
    """What is wrong with where a session rests that should stand `due` now. A message that waited
    may have resumed it; an end stays one, and so does a command of another run that still waits.
    """
    if moment.before in ENDS or "resume" in moment.done or moment.after == "awaiting_command":
        return
    if moment.after not in {due, "concluded", "error"}:
        yield f"stands in {moment.after} instead of {due}"
