"""Cut: the stream ends here and no receipt comes. Then calm: every open run has its terminal, as T4
says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnreel.conformance.sessions import Run, session
from turnreel.lifecycle.events import (
    AnyEvent,
    Cancelled,
    Failed,
    InputRequested,
    InputResolved,
    NeedsInput,
)
from turnreel.lifecycle.signals import Closed, Unreconciled

from .hosts import Host
from .judging import Breach, Judge
from .timeline import Timeline, bare


def cut(
    timeline: Timeline, chosen: Sequence[int], host: Host, judge: Judge
) -> Iterator[list[Breach]]:
    """What does not hold after a cut at each of the `chosen` places."""
    judged: set[tuple[object, ...]] = set()
    for place in chosen:
        branch = timeline.branch(place)
        told = branch.feed(timeline.edge(place, Closed(), 1))
        told += branch.feed(timeline.edge(place, Unreconciled(), 2))
        case = (
            timeline.count(place),
            *bare(told),
            host.has_cancelled(place),
            host.has_crashed(place),
        )
        if case in judged:
            yield []
        else:
            judged.add(case)
            yield list(_judged(timeline, place, told, host, judge))


def _judged(
    timeline: Timeline, place: int, told: list[AnyEvent], host: Host, judge: Judge
) -> Iterator[Breach]:
    head = timeline.head(place)
    events = (*head, *told)
    yield from judge.breaches("cut", place, events)
    ended = {event.run_id for event in head if event.terminal}
    for run_id, run in session(events).runs.items():
        if run_id not in ended and (fault := _fault(run, place, host)):
            clause, message = fault
            yield Breach("cut", clause, message, place, run_id, actual=run.events)


def _fault(run: Run, place: int, host: Host) -> tuple[str, str] | None:
    """The clause that an open run's end after the cut does not keep, and why."""
    asks = bool(_waiting(run)) and not host.has_crashed(place)
    match run.terminal:
        case None:
            return "T4", "no terminal, although the stream ended and no receipt will come"
        case Cancelled():
            return None if host.has_cancelled(place) else ("T7", "cancelled, but nobody asked")
        case _ if host.has_cancelled(place):
            return None  # which run the host meant is the dialect's to know
        case NeedsInput():
            return None if asks else ("T4", "needs_input, but no gate waits calmly")
        case Failed(code=code):
            if asks:
                return "T4", f"failed ({code}), but a gate waits and nothing crashed"
            if code not in ("startup", "incomplete"):
                return "T4", f"failed ({code}), which the end of a stream cannot know"
            return None
        case _:
            return "T3", "final, although the stream ended without a native success"


def _waiting(run: Run) -> set[str]:
    """The gates that were open when the stream ended: what the end itself closed counts as open."""
    waiting: set[str] = set()
    terminal = run.terminal
    for event in run.before:
        match event:
            case InputRequested():
                waiting.add(event.request_id)
            case InputResolved() if terminal is None or event.evidence != terminal.evidence:
                waiting.discard(event.request_id)
    return waiting
