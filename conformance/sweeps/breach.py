"""What a sweep reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from turnreel.conformance.findings import Check
from turnreel.conformance.watching import Violation
from turnreel.lifecycle.events import AnyEvent


@dataclass(frozen=True)
class Breach:
    """A clause that does not hold in the stream changed at `place`.

    `actual` are the events of the changed stream, `expected` those it was compared with, if it was.
    """

    check: Check
    clause: str
    message: str
    place: int
    run_id: str = ""
    seq: int | None = None
    expected: tuple[AnyEvent, ...] = ()
    actual: tuple[AnyEvent, ...] = ()


def breaches(
    check: Check, place: int, violations: Iterable[Violation], events: Sequence[AnyEvent]
) -> list[Breach]:
    """Violations of a changed stream, whose events are `events`."""
    return [
        Breach(
            check=check,
            clause=violation.clause,
            message=violation.message,
            place=place,
            run_id=violation.run_id,
            seq=violation.seq,
            actual=tuple(event for event in events if event.run_id == violation.run_id),
        )
        for violation in violations
    ]
