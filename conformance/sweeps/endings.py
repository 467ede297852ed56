"""The stream ended at a place by signals of the edge: what cut and cancel have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from turnreel.conformance.judging import Judge
from turnreel.conformance.sessions import OpenRuns
from turnreel.conformance.watching import Violation
from turnreel.lifecycle.events import AnyEvent
from turnreel.lifecycle.signals import AnySignal

from .tails import bare
from .timeline import Timeline


@dataclass(frozen=True)
class Ending:
    """What the signals at `place` made of the session. `gates` are the runs that were open there,
    with the gates that waited in each. `is_news` is False where an ending at a former place was
    the same in every respect.
    """

    place: int
    told: tuple[AnyEvent, ...]
    gates: Mapping[str, frozenset[str]]
    violations: tuple[Violation, ...]
    is_news: bool


def endings(
    timeline: Timeline, chosen: Sequence[int], signals: Sequence[AnySignal]
) -> Iterator[Ending]:
    """The session ended at each of the `chosen` places, which ascend. The beginning that all
    endings share is judged once.
    """
    judge, runs = Judge(), OpenRuns()
    former: tuple[object, ...] = ()
    seen = 0
    for place in chosen:
        for event in timeline.events[seen : timeline.count(place)]:
            judge.see(event)
            runs.see(event)
        seen = timeline.count(place)
        branch = timeline.branch(place)
        told: list[AnyEvent] = []
        for step, signal in enumerate(signals, 1):
            told += branch.feed(timeline.edge(place, signal, step))
        case = (seen, *bare(told))
        violations: list[Violation] = []
        if case != former:
            here = judge.copy()
            violations = [violation for event in told for violation in here.see(event)]
        yield Ending(place, tuple(told), dict(runs.gates), tuple(violations), case != former)
        former = case
