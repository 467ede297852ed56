"""T6: health after the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import Watch
from turnreel.lifecycle.events import AnyEvent, Health


class Checker(Watch):
    """Health after the terminal."""

    clause = "T6"
    sentence = (
        "After the terminal only health may follow; it degrades, once, and promises no retry."
    )

    def begin(self) -> None:
        self.moved = False

    def later(self, event: AnyEvent) -> Iterator[str]:
        if not isinstance(event, Health):
            return
        if event.state != "degraded" or event.will_retry:
            yield f"health {event.state} after the terminal"
        if self.moved:
            yield "health moves again after the terminal"
        self.moved = True
