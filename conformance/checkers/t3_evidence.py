"""T3: a terminal has typed evidence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.adapters.base import Arrival, Edge
from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.observations import Ended, Refused
from turnreel.lifecycle.signals import Orphaned, Parked, Receipt, Unreconciled

CLAUSE: Final = "T3"
SENTENCE: Final = (
    "A terminal rests on a native end or refusal, or on an edge that decides; exits, ends of "
    "stream, stderr and host input decide nothing by themselves."
)
READS: Final = "native"


_DECIDE: Final = (Receipt, Unreconciled, Parked, Orphaned)


def check(run: Run, session: Session) -> Iterator[Violation]:
    """A terminal that no frame and no deciding edge caused."""
    native, terminal = session.native, run.terminal
    if native is None or terminal is None:
        return
    if any(isinstance(seen, Ended | Refused) for seen in native.observed_at(terminal)):
        return
    arrivals = native.arrivals_of(terminal)
    if not any(isinstance(a, Edge) and isinstance(a.signal, _DECIDE) for a in arrivals):
        what = ", ".join(_name(arrival) for arrival in arrivals) or "nothing"
        yield broken(CLAUSE, terminal, f"{what} decided the run")


def _name(arrival: Arrival) -> str:
    if isinstance(arrival, Edge):
        return str(type(arrival.signal).__struct_config__.tag)
    return f"a frame ({arrival.code}) without a native end"
