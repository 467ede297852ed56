"""V1: the fold is a function of the set of events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnreel.conformance.watching import Watch
from turnreel.lifecycle.events import AnyEvent
from turnreel.lifecycle.fold import fold


class Checker(Watch):
    """The fold is a function of the set of events."""

    clause = "V1"
    sentence = (
        "Folding gives the same view whatever the order of the events and however often each came."
    )

    def whole(self, events: Sequence[AnyEvent]) -> Iterator[str]:
        view = fold(events)
        if fold((*events, *events)) != view:
            yield "doubled events fold otherwise"
        if fold(reversed(events)) != view:
            yield "reversed events fold otherwise"
