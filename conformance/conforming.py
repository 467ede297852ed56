"""A foreign adapter held against recordings and scenarios: its events, its terminals, and what a
cut makes of it.

Each is played to it twice, begun anew, and judged by every clause that events alone can tell; its
turn has to be the right one. Then everything is delivered again, the stream is cut at chosen
places, and again the clauses are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from msgspec.structs import replace

from turnreel.adapters.base import Edge
from turnreel.lifecycle.events import TERMINALS, AnyEvent
from turnreel.lifecycle.signals import Closed, Unreconciled

from . import explain, goldens
from .child import AdapterFault, Child
from .findings import Check, Finding, Result
from .gathering import Gathering
from .judging import judged
from .lockstep import Begin, Track
from .parts import Part
from .sessions import OpenRuns, at_their_ends, runs_of

CUTS: Final = 24
"""Places at which a recording is cut for a child: each costs a round trip, or a whole replay."""

SWEEPS: Final[tuple[Check, ...]] = ("cut", "duplicate", "prefix")
"""The checks that tell a child something else than what was recorded."""

Told = Sequence[Sequence[AnyEvent]]
"""What each arrival of a recording caused."""


@dataclass
class Conformance:
    """One part under one child."""

    child: Child
    part: Part
    goes_back: bool = True

    def __post_init__(self) -> None:
        self.recording = self.part.recording
        self._gathering = Gathering(self.part.begun())

    def run(self) -> Result:
        """Everything that was found. A child that breaks the protocol is a finding and ends it."""
        try:
            self._play()
        except AdapterFault as fault:
            self._gathering.find(_broken(fault))
        return self._gathering.told()

    def _play(self) -> None:
        first = self._played(())
        self._judge([*chain(*first)])
        chosen = range(0, len(first) + 1, max(1, len(first) // CUTS))
        told = self._played(chosen)
        self._gathering.count("prefix")
        if told != first:  # nothing that it tells from here on can be compared with anything
            self._gathering.find(_inconstant([*chain(*first)], [*chain(*told)]))
            return
        self._again([*chain(*told)])
        for place in chosen:
            self._cut(place, [*chain(*told[:place])])

    def _judge(self, events: Sequence[AnyEvent]) -> None:
        """The clauses, the turn, and that its runs are of this session (R4)."""
        self._gathering.count("contract")
        head = f"{self.recording.header.id}."
        for run_id, own in runs_of(events).items():
            if not run_id.startswith(head):
                self._gathering.find(
                    Finding(
                        check="contract",
                        clause="R4",
                        message=f"run {run_id} does not begin with its session's id",
                        run_id=run_id,
                        actual=explain.lines(own[: explain.AROUND]),
                    )
                )
        for one in judged(events):
            self._gathering.find(explain.of_violation(one, events, self.recording))
        turn = at_their_ends(events)  # what came later is told by T1 and T2
        self._gathering.result = self.part.held(self._gathering.result, turn)

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

    def _played(self, chosen: Sequence[int]) -> Told:
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

    def _again(self, events: Sequence[AnyEvent]) -> None:
        """Every record once more, under its own number: nothing may come of it (R2)."""
        self._gathering.count("duplicate")
        told = [event for one in self.recording.arrivals for event in self.child.feed(one)]
        if told:
            self._gathering.find(
                Finding(
                    check="duplicate",
                    clause="R2",
                    message="records delivered again cause events",
                    expected=tuple(goldens.turn_text(events).splitlines()),
                    actual=tuple(goldens.turn_text([*events, *told]).splitlines()),
                )
            )

    def _cut(self, place: int, before: Sequence[AnyEvent]) -> None:
        """The stream ends at `place`: every run that is open there has one terminal."""
        self._gathering.count("cut")
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
        for run_id in runs.gates:
            if run_id not in ended:
                self._gathering.find(
                    Finding(
                        check="cut",
                        clause="T4",
                        message="no terminal, although the stream ended and no receipt will come",
                        run_id=run_id,
                        place=place,
                    )
                )
        events = [*before, *after]
        for one in judged(events):
            found = explain.of_violation(one, events, self.recording)
            self._gathering.find(replace(found, check="cut", place=place))


def conform(
    argv: Sequence[str],
    parts: Iterable[Part | Result],
    patience: float,
    on_progress: Callable[[int], None],
) -> Iterator[Result]:
    """Hold the adapter that `argv` starts against every part; a result among them is passed on. An
    answer may take `patience` seconds; `on_progress` is told how many parts are done. A child that
    broke the protocol is started anew for the next part.

    Raises `ConformanceError` if the command cannot be started, and what the parts raise.
    """
    child: Child | None = None
    pending: list[Result] = []  # the last part that was played, and what came by itself after it
    try:
        for done, part in enumerate(parts, 1):
            on_progress(done)
            if isinstance(part, Result):
                pending.append(part)
                continue
            yield from pending
            child = child or Child(argv, patience)
            pending = [Conformance(child, part).run()]
            if any(finding.check == "form" for finding in pending[0].findings):
                child.close()
                child = None
        if child is not None:
            pending[0] = _finished(child, pending[0])
        yield from pending
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


def _inconstant(first: Sequence[AnyEvent], again: Sequence[AnyEvent]) -> Finding:
    """A child that told the same session in two ways: where, and how."""
    differing = (place for place, (a, b) in enumerate(zip(first, again, strict=False)) if a != b)
    place = next(differing, min(len(first), len(again)))
    return Finding(
        check="prefix",
        clause="R5",
        message="begun anew and told the same, it tells something else",
        expected=explain.lines(first[place : place + explain.AROUND]),
        actual=explain.lines(again[place : place + explain.AROUND]),
    )
