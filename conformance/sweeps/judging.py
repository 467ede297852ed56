"""What a sweep reports, and the judge of every swept stream."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from turnreel.conformance.checkers import Checker, checkers
from turnreel.conformance.findings import Check
from turnreel.conformance.sessions import Run, Session, Violation
from turnreel.lifecycle.events import AnyEvent


@dataclass(frozen=True)
class Breach:
    """Something a sweep found: a clause that does not hold in the stream changed at `place`.

    `actual` are the events of the changed stream, `expected` those it was compared with, if it was.
    """

    check: Check
    clause: str
    message: str
    place: int | None = None
    run_id: str = ""
    seq: int | None = None
    expected: tuple[AnyEvent, ...] = ()
    actual: tuple[AnyEvent, ...] = ()


class Judge:
    """All checkers that need events alone, over streams most of which were judged before.

    Swept streams share their runs: a run whose events were judged is not judged again.
    """

    def __init__(self) -> None:
        needed = [checker for checker in checkers() if checker.reads != "native"]
        self._of_runs = [checker for checker in needed if checker.reads == "run"]
        self._of_sessions = [checker for checker in needed if checker.reads == "session"]
        self._runs: set[tuple[AnyEvent, ...]] = set()
        self._sessions: set[tuple[AnyEvent, ...]] = set()

    def violations(self, events: Iterable[AnyEvent]) -> list[Violation]:
        """What does not hold in the stream; nothing for what was judged before."""
        session = Session(tuple(events))
        found: list[Violation] = []
        for run in session.runs.values():
            if run.events not in self._runs:
                self._runs.add(run.events)
                found += _all(self._of_runs, run, session)
        starts = tuple(run.events[0] for run in session.runs.values())
        if starts not in self._sessions:
            self._sessions.add(starts)
            for run in session.runs.values():
                found += _all(self._of_sessions, run, session)
        return found

    def breaches(self, check: Check, place: int, events: Sequence[AnyEvent]) -> list[Breach]:
        """The violations as a sweep reports them."""
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
            for violation in self.violations(events)
        ]


def _all(chosen: Iterable[Checker], run: Run, session: Session) -> list[Violation]:
    return [violation for checker in chosen for violation in checker.check(run, session)]
