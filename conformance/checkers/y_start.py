"""Y: a run starts once, with its start."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import Watch
from turnreel.lifecycle.events import AnyEvent, RunStarted


class Checker(Watch):
    """A run starts once, with its start."""

    clause = "Y"
    sentence = (
        "The first event of a run, and no other, is run.started; it names thread, agent and "
        "dialect."
    )

    def begin(self) -> None:
        self.seen = False

    def every(self, event: AnyEvent) -> Iterator[str]:
        match event:
            case RunStarted() if self.seen:
                yield "the run starts again"
            case RunStarted() if not (event.thread_id and event.agent and event.dialect):
                yield "the start lacks thread, agent or dialect"
            case RunStarted():
                pass
            case _ if not self.seen:
                yield f"the run starts with {type(event).__name__}"
        self.seen = True
