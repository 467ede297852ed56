"""V4: the view is rebuilt from the stored events alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnreel.conformance.watching import Watch
from turnreel.lifecycle.events import AnyEvent, decode_event, encode_event
from turnreel.lifecycle.fold import fold


class Checker(Watch):
    """Events that were written and read again tell the same."""

    clause = "V4"
    sentence = "Events that were stored and read again fold to the same view."

    def whole(self, events: Sequence[AnyEvent]) -> Iterator[str]:
        try:
            stored = [encode_event(event) for event in events]
        except UnicodeEncodeError:
            yield "a text that cannot be stored: half a surrogate pair"
            return
        if fold(map(decode_event, stored)) != fold(events):
            yield "what was stored folds otherwise"
