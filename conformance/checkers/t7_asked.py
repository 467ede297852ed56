"""T7: cancelled was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.adapters.base import Edge
from turnreel.conformance.sessions import Native, Run, Session, Violation, broken
from turnreel.lifecycle.events import Cancelled
from turnreel.lifecycle.observations import CancelAsked, Ended
from turnreel.lifecycle.signals import CancelRequested

CLAUSE: Final = "T7"
SENTENCE: Final = (
    "A run is cancelled only where the host asked to, or the agent says it was interrupted."
)
READS: Final = "native"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """A cancelled run before whose end nobody asked and no frame speaks of an interruption."""
    native, terminal = session.native, run.terminal
    if native is None or not isinstance(terminal, Cancelled):
        return
    seen = native.observed_at(terminal)
    if any(isinstance(one, Ended) and one.ending == "interrupted" for one in seen):
        return
    last = max((ref.index for ref in terminal.evidence), default=0)
    if not _asked(native, last):
        yield broken(CLAUSE, terminal, "cancelled, but nobody asked")


def _asked(native: Native, last: int) -> bool:
    for number, arrival in native.arrivals.items():
        if number > last:
            continue
        if isinstance(arrival, Edge) and isinstance(arrival.signal, CancelRequested):
            return True
        if any(isinstance(one, CancelAsked) for one in native.observed.get(number, ())):
            return True
    return False
