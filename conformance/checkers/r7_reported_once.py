"""R7: a failure is reported once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.events import Health, RunStarted

CLAUSE: Final = "R7"
SENTENCE: Final = (
    "The same trouble of the same attempt is told once, and after a failure that will not "
    "be retried no retry of it is announced."
)
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """Repeated reports, a retry announced for what was said not to be retried, and attempts beyond
    the bound that the dialect declares.
    """
    bound = _bound(run, session)
    former: Health | None = None
    for event in run.events:
        if not isinstance(event, Health):
            continue
        if bound is not None and (event.attempt or 0) > bound:
            yield broken(CLAUSE, event, f"attempt {event.attempt}, the dialect's bound is {bound}")
        if event.state == "degraded" and former is not None and former.state == "degraded":
            if event.attempt is not None and event.attempt == former.attempt:
                yield broken(CLAUSE, event, f"attempt {event.attempt} told again")
            if former.will_retry is False and event.will_retry and event.code == former.code:
                yield broken(CLAUSE, event, "a retry of what was said not to be retried")
        former = event


def _bound(run: Run, session: Session) -> int | None:
    start = run.events[0]
    if session.native is None or not isinstance(start, RunStarted):
        return None
    return session.native.retry_bounds.get(start.dialect)
