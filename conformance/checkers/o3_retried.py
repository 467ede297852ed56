"""O3: what will be retried fails nothing."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import AnyTerminal, Faults, Watch
from turnreel.lifecycle.events import AnyEvent, Evidence, Failed, Health


class Checker(Watch):
    """What will be retried fails nothing."""

    clause = "O3"
    sentence = "An error that the runtime says it will retry is not what the run fails of."

    def begin(self) -> None:
        self.retried: set[tuple[Evidence, ...]] = set()

    def told(self, event: AnyEvent) -> Faults:
        if isinstance(event, Health) and event.will_retry and event.evidence:
            self.retried.add(event.evidence)
        return ()

    def ended(self, terminal: AnyTerminal) -> Iterator[str]:
        if isinstance(terminal, Failed) and terminal.evidence in self.retried:
            yield "failed by an error that will be retried"
