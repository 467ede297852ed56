"""V3: one answer stands beneath."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnreel.conformance.watching import Watch
from turnreel.lifecycle.events import TERMINALS, AnyEvent
from turnreel.lifecycle.fold import fold


class Checker(Watch):
    """One answer stands beneath."""

    clause = "V3"
    sentence = "After the terminal a run shows exactly one answer: the terminal's text."

    def whole(self, events: Sequence[AnyEvent]) -> Iterator[str]:
        terminal = next((event for event in events if isinstance(event, TERMINALS)), None)
        if terminal is None:
            return
        views = fold(events)
        if len(views) != 1 or (shown := views[0].terminal) is None or shown.text != terminal.text:
            yield "the view's answer is not the terminal's"
