"""When two turns are equal (Q2), and what they differ in where they are not.

Compared are texts, the order of entries, kinds and states of activities, gates, terminal, outcome
and health, child agents, and which run a run was begun by. Native names and ids are not, nor is the
sentence of a failure or a cancel, nor the prompt of an approval, which names a tool. A tool by
which a dialect asks a detail or keeps its plan is how it does so: the gate and the plan are
compared. This is the only place that says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, cast

from msgspec.structs import replace

from turnreel.adapters.claims import Subject
from turnreel.lifecycle.events import ActivityState
from turnreel.lifecycle.fold import (
    ActivityEntry,
    ArtifactEntry,
    CommentaryEntry,
    Entry,
    GateEntry,
    HealthEntry,
    PlanEntry,
    RunView,
    SourceEntry,
)

Row = tuple[object, ...]
"""An entry without what is not compared."""

Difference = Subject | Literal["order", "runs"]
"""What turns differ in. The order of entries and the number of runs are no subject: no dialect is
free to change them.
"""

OUTCOMES: Final[dict[ActivityState, Subject]] = {
    "ok": "tool_outcomes",
    "failed": "tool_outcomes",
    "declined": "refusals",
    "cancelled": "cancels",
}
"""Which subject an activity's state is of, by the state it should have."""


def equal(one: RunView, other: RunView) -> bool:
    """Whether a person sees the same turn."""
    return not differences(one, other, "retries")


def differences_of_all(
    expected: Sequence[RunView], actual: Sequence[RunView], trouble: Subject
) -> frozenset[Difference]:
    """What several runs differ in."""
    if len(expected) != len(actual):
        return frozenset({"runs"})
    pairs = zip(expected, actual, strict=True)
    return frozenset().union(*(differences(one, other, trouble) for one, other in pairs))


def differences(expected: RunView, actual: RunView, trouble: Subject) -> frozenset[Difference]:
    """What `actual` tells otherwise than `expected` does. `trouble` is the subject that the
    expected health is of.

    Order is that of the kinds of entries that are told alike; health moves when the runtime says
    so, before or after a text that is on its way, and is compared for itself.
    """
    found: set[Difference] = set()
    expected, actual = _without_means(expected), _without_means(actual)
    if _of(expected, CommentaryEntry) != _of(actual, CommentaryEntry):
        found.add("commentary")
    if _kinds(expected) != _kinds(actual):
        found.add("activities")
    else:
        found.update(_states(expected, actual))
    if _of(expected, GateEntry) != _of(actual, GateEntry):
        found.add("gates")
    if _of(expected, PlanEntry) != _of(actual, PlanEntry):
        found.add("plans")
    if _health(expected) != _health(actual):
        found.add(trouble)
    if _end(expected) != _end(actual):
        found.add(_ending(expected))
    if not _alike(expected.children, actual.children):
        found.add("children")
    if expected.caused_by != actual.caused_by:
        found.add("wakes")
    if expected.continues != actual.continues:
        found.add("gates")
    if _order(expected, found) != _order(actual, found):
        found.add("order")
    return frozenset(found)


def _alike(expected: Sequence[RunView], actual: Sequence[RunView]) -> bool:
    """Whether child agents tell the same: all of them is one subject."""
    return len(expected) == len(actual) and all(map(equal, expected, actual))


def exercised(expected: RunView, trouble: Subject) -> frozenset[Subject]:
    """The subjects that a turn speaks of."""
    found: set[Subject] = {_ending(expected)}
    if expected.children:
        found.add("children")
    if expected.caused_by is not None:
        found.add("wakes")
    for entry in expected.entries:
        match entry:
            case CommentaryEntry():
                found.add("commentary")
            case ActivityEntry(state=state):
                found |= {"activities", OUTCOMES.get(state, "activities")}
            case GateEntry(kind=kind):
                found.add("questions" if kind == "question" else "gates")
            case PlanEntry():
                found.add("plans")
            case HealthEntry():
                found.add(trouble)
            case _:
                pass
    return frozenset(found)


def _without_means(view: RunView) -> RunView:
    """Without the tools by which a dialect asks for a detail and, in a turn that has a plan, those
    of no kind, by which it keeps that.
    """
    means = {"question"}
    if any(isinstance(entry, PlanEntry) for entry in view.entries):
        means.add("other")
    return replace(
        view,
        entries=tuple(
            entry
            for entry in view.entries
            if not (isinstance(entry, ActivityEntry) and entry.kind in means)
        ),
    )


def _ending(view: RunView) -> Subject:
    match view.terminal:
        case None:
            return "failures"
        case end if end.type == "cancelled":
            return "cancels"
        case end if end.code == "missing_final":
            return "missing_answers"
        case end if end.type == "failed":
            return "failures"
        case _:
            return "answer"


def _order(view: RunView, apart: set[Difference]) -> list[Row]:
    """The entries in order, without states, and without kinds that already differ."""
    told: list[Row] = []
    for entry in view.entries:
        match entry:
            case HealthEntry():
                pass
            case ActivityEntry(_, kind):
                told += [] if "activities" in apart else [("activity", kind)]
            case CommentaryEntry():
                told += [] if "commentary" in apart else [_row(entry)]
            case GateEntry():
                told += [] if "gates" in apart else [_row(entry)]
            case PlanEntry():
                told += [] if "plans" in apart else [_row(entry)]
            case other:
                told.append(_row(other))
    return told


def _row(entry: Entry) -> Row:
    match entry:
        case CommentaryEntry(text, done):
            return "commentary", text, done
        case ActivityEntry(_, kind, state):
            return "activity", kind, state
        case GateEntry(kind, resolution):
            return "gate", kind, resolution
        case HealthEntry(state, code):
            return "health", state, code
        case PlanEntry(items):
            return "plan", items
        case SourceEntry(title):
            return "source", title
        case ArtifactEntry(name):
            return "artifact", name


def _kinds(view: RunView) -> list[str]:
    return [entry.kind for entry in view.entries if isinstance(entry, ActivityEntry)]


def _states(expected: RunView, actual: RunView) -> Iterator[Subject]:
    wanted, told = (_of(view, ActivityEntry) for view in (expected, actual))
    for one, other in zip(wanted, told, strict=True):
        if one != other:
            yield OUTCOMES.get(cast("ActivityState", one[2]), "activities")


def _health(view: RunView) -> list[Row]:
    return [*_of(view, HealthEntry), ("at the end", view.health)]


def _end(view: RunView) -> Row:
    end = view.terminal
    if end is None:
        return ("open",)
    text = end.text if end.type == "final" else None
    return end.type, text, end.outcome, end.code


def _of(view: RunView, kind: type[Entry]) -> list[Row]:
    return [_row(entry) for entry in view.entries if isinstance(entry, kind)]
