"""C2: a text has one role."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.adapters.base import Edge
from turnreel.conformance.watching import AnyTerminal, Faults, Native, Watch
from turnreel.lifecycle.events import AnyEvent, Commentary, Final
from turnreel.lifecycle.observations import Ended
from turnreel.lifecycle.signals import Receipt


class Checker(Watch):
    """A text has one role."""

    clause = "C2"
    sentence = "No message is commentary and final; a final rests on a native success or a receipt."
    reads = "both"

    def begin(self) -> None:
        self.shown: set[str] = set()

    def told(self, event: AnyEvent) -> Faults:
        if isinstance(event, Commentary):
            if event.retracted:
                self.shown.discard(event.message_id)
            else:
                self.shown.add(event.message_id)
        return ()

    def ended(self, terminal: AnyTerminal) -> Iterator[str]:
        if not isinstance(terminal, Final):
            return
        if terminal.message_id in self.shown:
            yield "the final's message is commentary already"
        if self.native is not None and not _succeeded(terminal, self.native):
            yield "final without a native success or a receipt"


def _succeeded(final: Final, native: Native) -> bool:
    ended = (seen for seen in native.observed_at(final) if isinstance(seen, Ended))
    edges = (one.signal for one in native.arrivals_of(final) if isinstance(one, Edge))
    return any(seen.ending == "completed" for seen in ended) or any(
        isinstance(signal, Receipt) for signal in edges
    )
