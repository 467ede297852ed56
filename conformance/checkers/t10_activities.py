"""T10: how an activity lives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.events import Activity
from turnreel.lifecycle.observations import ToolMoved

CLAUSE: Final = "T10"
SENTENCE: Final = (
    "An activity starts once, may progress, and closes once; only one closed as unknown "
    "may be settled later, once; kind and name stay."
)
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """Every move that the life of an activity does not have, and successes nobody reported."""
    last: dict[str, Activity] = {}
    for event in run.events:
        if not isinstance(event, Activity):
            continue
        former = last.get(event.activity_id)
        if fault := _fault(event, former):
            yield broken(CLAUSE, event, fault)
        if event.state == "ok" and session.native is not None:
            seen = session.native.observed_at(event)
            if not any(isinstance(one, ToolMoved) and one.state == "ok" for one in seen):
                yield broken(CLAUSE, event, "ok, which no frame says")
        last[event.activity_id] = event


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
