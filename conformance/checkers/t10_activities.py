"""T10: how an activity lives."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import Watch
from turnreel.lifecycle.events import Activity, AnyEvent
from turnreel.lifecycle.observations import ToolMoved


class Checker(Watch):
    """How an activity lives."""

    clause = "T10"
    sentence = (
        "An activity starts once, may progress, and closes once; only one closed as unknown "
        "may be settled later, once; kind and name stay; ok is what a frame said."
    )
    reads = "both"

    def begin(self) -> None:
        self.last: dict[str, Activity] = {}

    def every(self, event: AnyEvent) -> Iterator[str]:
        if not isinstance(event, Activity):
            return
        if fault := _fault(event, self.last.get(event.activity_id)):
            yield fault
        self.last[event.activity_id] = event
        if event.state == "ok" and self.native is not None:
            seen = self.native.observed_at(event)
            if not any(isinstance(one, ToolMoved) and one.state == "ok" for one in seen):
                yield "ok, which no frame says"


def _fault(event: Activity, former: Activity | None) -> str:
    if former is None:
        return "" if event.state == "started" else f"{event.state} before it started"
    if (event.kind, event.name) != (former.kind, former.name):
        return f"{former.kind} {former.name} became {event.kind} {event.name}"
    if event.state == "started":
        return "started again"
    if former.state in ("started", "progress"):
        return ""
    if former.state == "unknown" and event.state not in ("progress", "unknown"):
        return ""
    return f"{event.state} after {former.state}"
