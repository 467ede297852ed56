"""G5: a gate closes once."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import Watch
from turnreel.lifecycle.events import AnyEvent, InputRequested, InputResolved


class Checker(Watch):
    """A gate closes once."""

    clause = "G5"
    sentence = "A gate is asked once and resolved once; what closes was open."

    def begin(self) -> None:
        self.asked: set[str] = set()
        self.resolved: set[str] = set()

    def every(self, event: AnyEvent) -> Iterator[str]:
        match event:
            case InputRequested(request_id=gate):
                if gate in self.asked:
                    yield "asked again"
                self.asked.add(gate)
            case InputResolved(request_id=gate, resolution=resolution):
                if gate not in self.asked:
                    yield f"{resolution}, but never asked"
                elif gate in self.resolved:
                    yield f"{resolution} after it was resolved"
                self.resolved.add(gate)
            case _:
                pass
