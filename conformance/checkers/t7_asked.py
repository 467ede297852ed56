"""T7: cancelled was asked for."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.adapters.base import Edge
from turnreel.conformance.watching import AnyTerminal, Native, Watch
from turnreel.lifecycle.events import Cancelled
from turnreel.lifecycle.observations import CancelAsked, Ended
from turnreel.lifecycle.signals import CancelRequested


class Checker(Watch):
    """Cancelled was asked for."""

    clause = "T7"
    sentence = (
        "A run is cancelled only where the host asked to, or the agent says it was interrupted."
    )
    reads = "native"

    def ended(self, terminal: AnyTerminal) -> Iterator[str]:
        if self.native is None or not isinstance(terminal, Cancelled):
            return
        seen = self.native.observed_at(terminal)
        if any(isinstance(one, Ended) and one.ending == "interrupted" for one in seen):
            return
        last = max((ref.index for ref in terminal.evidence), default=0)
        if not _asked(self.native, last):
            yield "cancelled, but nobody asked"


def _asked(native: Native, last: int) -> bool:
    for number, arrival in native.arrivals.items():
        if number > last:
            continue
        if isinstance(arrival, Edge) and isinstance(arrival.signal, CancelRequested):
            return True
        if any(isinstance(one, CancelAsked) for one in native.observed.get(number, ())):
            return True
    return False
