"""A foreign adapter held against recordings: its events, its terminals, and what a cut makes of it.

Every recording of the adapter's dialect is played through it and judged by every clause that events
alone can tell; its turn has to be the one beside the cassette. Then the stream is cut at chosen
places, everything is delivered twice, and again the clauses are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from turnreel.adapters.base import Edge
from turnreel.lifecycle.events import TERMINALS, AnyEvent
from turnreel.lifecycle.signals import Closed, Unreconciled

from . import explain, goldens
from .child import AdapterFault, Child
from .findings import Check, Finding, Result
from .judging import judged
from .lockstep import Begin, Track
from .recording import Recording, load
from .sessions import OpenRuns

CUTS: Final = 24
"""Places at which a recording is cut for a child: each costs a round trip, or a whole replay."""


@dataclass
class Conformance:
    """One recording under one child."""

    child: Child
    recording: Recording
    goes_back: bool = True

    def run(self) -> Result:
        """Everything that was found. A child that breaks the protocol is a finding and ends it."""
        header = self.recording.header
        result = Result(
            path=str(self.recording.path),
            id=header.id,
            agent=" ".join(filter(None, (header.agent.name, header.agent.version))),
            dialects=tuple(t.dialect for t in header.tracks if t.carrier != "host"),
            records=len(self.recording.records),
        )
        cases: dict[Check, int] = {}
        findings: list[Finding] = []
        try:
            for check, found in self._checks():
                cases[check] = cases.get(check, 0) + 1
                findings += found
        except AdapterFault as fault:
            findings.append(_broken(fault))
        return replace(result, cases=cases, findings=tuple(findings))

    def _checks(self) -> Iterator[tuple[Check, list[Finding]]]:
        arrivals = self.recording.arrivals
        chosen = range(0, len(arrivals) + 1, max(1, len(arrivals) // CUTS))
        told = self._played(chosen)
        events = [event for one in told for event in one]
        yield (
            "contract",
            [explain.of_violation(one, events, self.recording) for one in judged(events)],
        )
        yield (
            "golden",
            [
                replace(explain.of_golden(one, events, self.recording), remedy="")
                for one in goldens.compare(self.recording.path, events)
            ],
        )
        yield "duplicate", self._again(events)
        for place in chosen:
            yield "cut", self._cut(place, [event for one in told[:place] for event in one])

    def _begin(self) -> None:
        header = self.recording.header
        self.child.begin(
            Begin(
                session=header.id,
                agent=header.agent.name,
                tracks=tuple(Track(t.id, t.dialect) for t in header.tracks),
                terms=header.declared,
            )
        )

    def _played(self, chosen: Sequence[int]) -> list[tuple[AnyEvent, ...]]:
        """What each arrival causes. The child keeps the chosen places, if it can."""
        self._begin()
        told: list[tuple[AnyEvent, ...]] = []
        for place, arrival in enumerate(self.recording.arrivals):
            if place in chosen and self.goes_back:
                self.goes_back = self.child.keeps(place)
            told.append(self.child.feed(arrival))
        if self.goes_back and len(told) in chosen:
            self.child.keeps(len(told))
        return told

    def _replayed(self, place: int) -> None:
        """The long way back to a place."""
        self._begin()
        for arrival in self.recording.arrivals[:place]:
            self.child.feed(arrival)

    def _again(self, events: list[AnyEvent]) -> list[Finding]:
        """Every record once more, under its own number: nothing may come of it (R2)."""
        told = [event for one in self.recording.arrivals for event in self.child.feed(one)]
        if not told:
            return []
        return [
            Finding(
                check="duplicate",
                clause="R2",
                message="records delivered again cause events",
                actual=tuple(line for line in goldens.turn_text([*events, *told]).splitlines()),
            )
        ]

    def _cut(self, place: int, before: list[AnyEvent]) -> list[Finding]:
        """The stream ends at `place`: every run that is open there has one terminal."""
        if self.goes_back:
            self.child.go_back(place)
        else:
            self._replayed(place)
        number = self.recording.arrivals[place - 1].number if place else 0
        ends = (Edge("host", number + 1, 0, Closed()), Edge("host", number + 2, 0, Unreconciled()))
        after = [event for one in ends for event in self.child.feed(one)]
        runs = OpenRuns()
        for event in before:
            runs.see(event)
        ended = {event.run_id for event in after if isinstance(event, TERMINALS)}
        found = [
            Finding(
                check="cut",
                clause="T4",
                message="no terminal, although the stream ended and no receipt will come",
                run_id=run_id,
                place=place,
            )
            for run_id in runs.gates
            if run_id not in ended
        ]
        events = [*before, *after]
        return found + [
            replace(explain.of_violation(one, events, self.recording), check="cut", place=place)
            for one in judged(events)
        ]


def conform(
    argv: Sequence[str],
    paths: Sequence[Path],
    dialects: frozenset[str],
    patience: float,
    on_progress: Callable[[int, int], None],
) -> Iterator[Result]:
    """Hold the adapter that `argv` starts against every recording at `paths` of these dialects, of
    any if none is named; an answer may take `patience` seconds. A child that broke the protocol is
    started anew for the next recording.

    Raises `ConformanceError` if the command cannot be started, `CassetteError` for a cassette that
    cannot be read.
    """
    child: Child | None = None
    last: Result | None = None
    try:
        for done, path in enumerate(paths, 1):
            recording = load(path)
            spoken = {one.dialect for one in recording.header.tracks if one.carrier != "host"}
            if recording.has_runs and not (dialects and dialects.isdisjoint(spoken)):
                if last is not None:
                    yield last
                child = child or Child(argv, patience)
                last = Conformance(child, recording).run()
                if any(finding.check == "form" for finding in last.findings):
                    child.close()
                    child = None
            on_progress(done, len(paths))
        if last is not None:
            yield last if child is None else _finished(child, last)
    finally:
        if child is not None:
            child.close()


def _finished(child: Child, last: Result) -> Result:
    """The last result, with what the child turned out to have said too much."""
    try:
        child.finish()
    except AdapterFault as fault:
        return replace(last, findings=(*last.findings, _broken(fault)))
    return last


def _broken(fault: AdapterFault) -> Finding:
    return Finding(check="form", message=f"{fault.kind}: {fault.message}")
