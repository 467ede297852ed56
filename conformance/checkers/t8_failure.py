"""T8: a failure says why."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import AnyTerminal, Watch
from turnreel.lifecycle.events import Failed


class Checker(Watch):
    """A failure says why."""

    clause = "T8"
    sentence = (
        "failed carries a code, whether a retry may help, and one sentence; no other terminal "
        "has a code of failure."
    )

    def ended(self, terminal: AnyTerminal) -> Iterator[str]:
        if not isinstance(terminal, Failed):
            if terminal.code is not None:
                yield f"{type(terminal).__name__} with code {terminal.code}"
            return
        if terminal.code is None or terminal.retryable is None:
            yield "no code, or not said whether a retry may help"
        if "\n" in terminal.text:
            yield "more than one line"
