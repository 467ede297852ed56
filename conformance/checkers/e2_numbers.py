"""E2: numbers are dense."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import Watch
from turnreel.lifecycle.events import AnyEvent


class Checker(Watch):
    """Numbers are dense."""

    clause = "E2"
    sentence = "The events of a run are numbered 1, 2, 3 and so on, in the order they come."

    def begin(self) -> None:
        self.last = 0

    def every(self, event: AnyEvent) -> Iterator[str]:
        if event.seq != self.last + 1:
            yield f"number {event.seq} where {self.last + 1} was due"
        self.last = event.seq
