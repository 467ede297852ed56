"""C8: who decides by position says so."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import AnyTerminal, Watch
from turnreel.lifecycle.events import AnyEvent, Final, RunStarted


class Checker(Watch):
    """Who decides by position says so."""

    clause = "C8"
    sentence = (
        "A final of a dialect that cannot tell answers from commentary by itself states its "
        "confidence."
    )
    reads = "native"

    def begin(self) -> None:
        self.dialect = ""

    def every(self, event: AnyEvent) -> Iterator[str]:
        if isinstance(event, RunStarted):
            self.dialect = event.dialect
        return iter(())

    def ended(self, terminal: AnyTerminal) -> Iterator[str]:
        secondary = self.native.secondary if self.native is not None else ()
        if isinstance(terminal, Final) and self.dialect in secondary and not terminal.confidence:
            yield f"a final of {self.dialect} without its confidence"
