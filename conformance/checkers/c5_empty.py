"""C5: a final answers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turnreel.conformance.watching import AnyTerminal, Faults, Watch
from turnreel.lifecycle.events import AnyEvent, Artifact, Final

_ERROR_TEXT = re.compile(r"API Error: \d{3}\b|HTTP [45]\d\d\b|No reply\b")


class Checker(Watch):
    """A final answers."""

    clause = "C5"
    sentence = (
        "A final without text needs an artifact or a runtime's own answer; error text of a "
        "vendor is no final."
    )

    def begin(self) -> None:
        self.produced = False

    def told(self, event: AnyEvent) -> Faults:
        self.produced = self.produced or isinstance(event, Artifact)
        return ()

    def ended(self, terminal: AnyTerminal) -> Iterator[str]:
        if not isinstance(terminal, Final):
            return
        if not terminal.text and not self.produced and terminal.confidence != "runtime":
            yield "the final is empty and nothing was produced"
        if _ERROR_TEXT.match(terminal.text):
            yield "the final is a vendor's error text"
