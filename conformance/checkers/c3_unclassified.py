"""C3: what is unclassified at the terminal is dropped."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.speaking import Speaking
from turnreel.conformance.watching import AnyTerminal, Watch
from turnreel.lifecycle.events import AnyEvent


class Checker(Watch):
    """What is unclassified at the terminal is dropped."""

    clause = "C3"
    sentence = "Text of which nothing told by the terminal that it is commentary is not flushed."
    reads = "native"

    def begin(self) -> None:
        self.speaking = Speaking(self.native)
        self.flushed: tuple[int, str] | None = None

    def told(self, event: AnyEvent) -> Iterator[str]:
        said = self.speaking.hear(event)
        if said is not None and said.is_flushed:
            self.flushed = (said.number, said.text)
        return iter(())

    def ended(self, terminal: AnyTerminal) -> Iterator[str]:
        if self.flushed is not None:
            yield "text that was not classified is shown as commentary at the terminal"
