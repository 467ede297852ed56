"""Duplicate: each frame is delivered once more (R2).

As the same record nothing may change. As a new record nothing may change either where the dialect
gives the frame an identity; where it gives none, the terminals, activities, gates and completed
commentary must stay, but for the texts of a dialect that says it repeats them. Input of the host
without identity is left out: saying a thing twice is saying it twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from turnreel.adapters.base import Frame
from turnreel.conformance.judging import judged
from turnreel.conformance.recording import identified
from turnreel.conformance.sessions import runs_of
from turnreel.lifecycle.events import AnyEvent
from turnreel.lifecycle.fold import ActivityEntry, CommentaryEntry, Entry, GateEntry, fold

from .breach import Breach, breaches
from .timeline import Continuations, Timeline


def duplicate(timeline: Timeline, chosen: Sequence[int]) -> Iterator[list[Breach]]:
    """What does not hold when the arrival before each chosen place comes twice."""
    continuations = Continuations(timeline)
    for place in reversed(chosen):
        if place == 0:
            continue
        arrival = timeline.arrivals[place - 1]
        yield again_as_the_same(timeline, place, [place - 1])
        if not isinstance(arrival, Frame):
            continue
        if identified(timeline.recording, arrival):
            yield again_as_new(timeline, place, [place - 1])
        elif arrival.code != "in":
            yield _again_without_identity(timeline, place, continuations)


def again_as_the_same(timeline: Timeline, place: int, earlier: Sequence[int]) -> list[Breach]:
    """Deliver `earlier` arrivals again at `place` under their own record numbers: no change."""
    branch = timeline.branch(place)
    told = [event for one in earlier for event in branch.feed(timeline.arrivals[one])]
    if not told and branch.state is timeline.marks[place].state:
        return []
    what = "the same record delivered again changed something"
    return [_changed(timeline, place, what, told)]


def again_as_new(timeline: Timeline, place: int, earlier: Sequence[int]) -> list[Breach]:
    """Deliver `earlier` arrivals, which have identities, again at `place` as new records: no
    change.
    """
    branch = timeline.branch(place)
    told = [
        event
        for step, one in enumerate(earlier, 1)
        for event in branch.feed(timeline.again(place, timeline.arrivals[one], step))
    ]
    if not told and branch.state == timeline.marks[place].state:
        return []
    what = "a frame with the same identity delivered again changed something"
    return [_changed(timeline, place, what, told)]


def _again_without_identity(
    timeline: Timeline, place: int, continuations: Continuations
) -> list[Breach]:
    branch = timeline.branch(place)
    told = branch.feed(timeline.again(place, timeline.arrivals[place - 1]))
    tail = continuations.follow(branch, place)
    stream = timeline.stream(place, told, tail)
    if stream.fingerprint == timeline.fingerprint:
        return []
    events = tuple(stream)
    found = breaches("duplicate", place, judged(events), events)
    recorded, changed = runs_of(timeline.events), runs_of(events)
    adapters = timeline.recording.adapters.values()
    kept = _outline if any(adapter.info.repeats_text for adapter in adapters) else _essence
    for run_id in {**recorded, **changed}:
        was, now = recorded.get(run_id, ()), changed.get(run_id, ())
        if not was or not now:
            message = "raw duplication changed which runs there are"
        elif kept(was) != kept(now):
            message = "raw duplication changed the turn"
        else:
            continue
        found.append(
            Breach(
                "duplicate",
                "R2",
                message,
                place,
                run_id,
                expected=was,
                actual=now,
            )
        )
    return found


def _essence(run: Sequence[AnyEvent]) -> tuple[object, ...]:
    """What raw duplication must leave alone: terminal, activities, gates, completed commentary."""
    (view,) = fold(run)
    return view.terminal, [entry for entry in view.entries if _lasting(entry)]


def _outline(run: Sequence[AnyEvent]) -> tuple[object, ...]:
    """The same without what was said."""
    terminal, entries = _essence(run)
    assert isinstance(entries, list), "the essence lists entries"
    return _wordless(terminal), [_wordless(entry) for entry in entries]


def _wordless(told: object) -> object:
    return replace(told, text="") if hasattr(told, "text") else told  # type: ignore[type-var]


def _lasting(entry: Entry) -> bool:
    match entry:
        case CommentaryEntry(done=done):
            return done
        case ActivityEntry() | GateEntry():
            return True
        case _:
            return False


def _changed(timeline: Timeline, place: int, message: str, told: Sequence[AnyEvent]) -> Breach:
    run_id = told[0].run_id if told else ""
    return Breach("duplicate", "R2", message, place, run_id, actual=tuple(told))
