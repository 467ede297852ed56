"""E4: evidence refers to frames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken

CLAUSE: Final = "E4"
SENTENCE: Final = (
    "Evidence names arrivals of this session by track and number, and every event has some."
)
READS: Final = "native"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """Every reference leads to an arrival of that track; no event is without one."""
    native = session.native
    if native is None:
        return
    for event in run.events:
        if not event.evidence:
            yield broken(CLAUSE, event, "no evidence")
        for ref in event.evidence:
            arrival = native.arrivals.get(ref.index)
            if arrival is None:
                yield broken(CLAUSE, event, f"no arrival {ref.index}")
            elif arrival.track != ref.track:
                yield broken(CLAUSE, event, f"arrival {ref.index} is not of track {ref.track}")
