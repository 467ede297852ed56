"""C10: a run's text is its own."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import Watch
from turnreel.lifecycle.events import AnyEvent, Commentary, Final


class Checker(Watch):
    """A run's text is its own."""

    clause = "C10"
    sentence = "Text of a run rests on a frame that speaks of this run, not of its child or parent."
    reads = "native"

    def every(self, event: AnyEvent) -> Iterator[str]:
        native = self.native
        if native is None or not isinstance(event, Commentary | Final):
            return
        turns = native.turns.get(event.run_id)
        seen = native.observed_at(event)
        if turns and seen and not any(not one.turn or one.turn in turns for one in seen):
            yield "the frame behind this text speaks of another run"
