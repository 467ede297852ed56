"""R7: a failure is reported once."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import Watch
from turnreel.lifecycle.events import AnyEvent, Health, RunStarted


class Checker(Watch):
    """A failure is reported once."""

    clause = "R7"
    sentence = (
        "The same trouble of the same attempt is told once; after a failure that will not be "
        "retried no retry of it is announced; attempts stay within the bound that the dialect "
        "declares."
    )
    reads = "both"

    def begin(self) -> None:
        self.bound: int | None = None
        self.former: Health | None = None

    def every(self, event: AnyEvent) -> Iterator[str]:
        if isinstance(event, RunStarted) and self.native is not None:
            self.bound = self.native.retry_bounds.get(event.dialect)
        if not isinstance(event, Health):
            return
        if self.bound is not None and (event.attempt or 0) > self.bound:
            yield f"attempt {event.attempt}, and the dialect's bound is {self.bound}"
        former, self.former = self.former, event
        if event.state != "degraded" or former is None or former.state != "degraded":
            return
        if event.attempt is not None and event.attempt == former.attempt:
            yield f"attempt {event.attempt} told again"
        if former.will_retry is False and event.will_retry and event.code == former.code:
            yield "a retry of what was said not to be retried"
