"""T1: one terminal."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import Watch
from turnreel.lifecycle.events import TERMINALS, AnyEvent


class Checker(Watch):
    """One terminal."""

    clause = "T1"
    sentence = "A run has at most one terminal."

    def later(self, event: AnyEvent) -> Iterator[str]:
        if isinstance(event, TERMINALS):
            yield f"a second terminal, {type(event).__name__}"
