"""C1: commentary has native evidence."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.speaking import Speaking
from turnreel.conformance.watching import Watch
from turnreel.lifecycle.events import AnyEvent


class Checker(Watch):
    """Commentary has native evidence."""

    clause = "C1"
    sentence = (
        "A text is commentary only from the frame on by which it is known not to be the answer: "
        "its mark, a tool call in or after its message, a reason to go on, or a later candidate."
    )
    reads = "native"

    def begin(self) -> None:
        self.speaking = Speaking(self.native)

    def told(self, event: AnyEvent) -> Iterator[str]:
        said = self.speaking.hear(event)
        if said is None or said.is_flushed:
            return
        if not said.messages:
            yield "commentary that no message of the run said"
        elif not said.is_evident:
            yield "commentary before anything told that it is not the answer"
