"""T3: a terminal has typed evidence."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.adapters.base import Arrival, Edge
from turnreel.conformance.watching import AnyTerminal, Watch
from turnreel.lifecycle.observations import Ended, Receipted, Refused
from turnreel.lifecycle.signals import Orphaned, Parked, Receipt, Unreconciled

_TELL = (Ended, Refused, Receipted)
_DECIDE = (Receipt, Unreconciled, Parked, Orphaned)


class Checker(Watch):
    """A terminal has typed evidence."""

    clause = "T3"
    sentence = (
        "A terminal rests on a native end or refusal, or on an edge that decides; exits, ends "
        "of stream, stderr and host input decide nothing by themselves."
    )
    reads = "native"

    def ended(self, terminal: AnyTerminal) -> Iterator[str]:
        if self.native is None:
            return
        if any(isinstance(seen, _TELL) for seen in self.native.observed_at(terminal)):
            return
        arrivals = self.native.arrivals_of(terminal)
        if not any(isinstance(a, Edge) and isinstance(a.signal, _DECIDE) for a in arrivals):
            what = ", ".join(_name(arrival) for arrival in arrivals) or "nothing"
            yield f"{what} decided the run"


def _name(arrival: Arrival) -> str:
    if isinstance(arrival, Edge):
        return str(type(arrival.signal).__struct_config__.tag)
    return f"a frame ({arrival.code}) without a native end"
