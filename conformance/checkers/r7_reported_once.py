"""R7: a failure is reported once."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import Watch
from turnreel.lifecycle.events import AnyEvent, Health, RunStarted
from turnreel.lifecycle.observations import Troubled


class Checker(Watch):
    """A failure is reported once."""

    clause = "R7"
    sentence = (
        "The same trouble of the same attempt is told once; after a failure that will not be "
        "retried no retry of it is announced; attempts stay within the bound that the frame "
        "tells, or else the dialect."
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
        bound = self._told(event) or self.bound
        if bound is not None and (event.attempt or 0) > bound:
            yield f"attempt {event.attempt}, and the bound is {bound}"
        former, self.former = self.former, event
        if event.state != "degraded" or former is None or former.state != "degraded":
            return
        if event.attempt is not None and event.attempt == former.attempt:
            yield f"attempt {event.attempt} told again"
        if former.will_retry is False and event.will_retry and event.code == former.code:
            yield "a retry of what was said not to be retried"

    def _told(self, event: Health) -> int | None:
        """The bound that the runtime tells with this trouble."""
        seen = self.native.observed_at(event) if self.native is not None else ()
        return max((one.bound or 0 for one in seen if isinstance(one, Troubled)), default=None)
