"""T2: the terminal is latched."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import Watch
from turnreel.lifecycle.events import TERMINALS, AnyEvent, Health


class Checker(Watch):
    """The terminal is latched."""

    clause = "T2"
    sentence = "What comes after the terminal is dropped: nothing of the turn is told any more."

    def later(self, event: AnyEvent) -> Iterator[str]:
        if not isinstance(event, (Health, *TERMINALS)):  # those are T6's and T1's
            yield f"{type(event).__name__} after the terminal"
