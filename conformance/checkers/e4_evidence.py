"""E4: evidence refers to frames."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import Watch
from turnreel.lifecycle.events import AnyEvent


class Checker(Watch):
    """Evidence refers to frames."""

    clause = "E4"
    sentence = (
        "Evidence names arrivals of this session by track and number, and every event has some."
    )
    reads = "native"

    def every(self, event: AnyEvent) -> Iterator[str]:
        if self.native is None:
            return
        if not event.evidence:
            yield "no evidence"
        for ref in event.evidence:
            arrival = self.native.arrivals.get(ref.index)
            if arrival is None:
                yield f"no arrival {ref.index}"
            elif arrival.track != ref.track:
                yield f"arrival {ref.index} is not of track {ref.track}"
