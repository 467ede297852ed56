"""C2: a text has one role."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.adapters.base import Edge
from turnreel.conformance.watching import AnyTerminal, Faults, Native, Watch
from turnreel.lifecycle.events import AnyEvent, Commentary, Final
from turnreel.lifecycle.observations import AnyObservation, Ended, Receipted
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
    observed = native.observed_at(final)
    edges = (one.signal for one in native.arrivals_of(final) if isinstance(one, Edge))
    return any(_is_success(seen) for seen in observed) or any(
        isinstance(signal, Receipt) for signal in edges
    )


def _is_success(seen: AnyObservation) -> bool:
    match seen:
        case Ended(ending="completed") | Receipted(outcome="completed"):
            return True
        case _:
            return False
