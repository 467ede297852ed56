"""The fold: what a person sees of the events (V1-V3, V5).

`fold` is pure, total and idempotent: it depends on the set of events alone, not on their order
or on how often each came. Thinking is the conversational summary, Activity the structured
trace; neither holds a native payload.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from .events import (
    Activity,
    ActivityKind,
    AnyEvent,
    Artifact,
    Cancelled,
    Code,
    Commentary,
    Confidence,
    Failed,
    Final,
    GateKind,
    Health,
    HealthState,
    InputRequested,
    InputResolved,
    NeedsInput,
    Outcome,
    Plan,
    PlanItem,
    RunStarted,
    Source,
)
from .events import ActivityState as ActivityWord
from .near_duplicates import near_duplicates


class CommentaryEntry(msgspec.Struct, frozen=True, tag="commentary"):
    """A line of Thinking."""

    text: str
    done: bool = True


class ActivityEntry(msgspec.Struct, frozen=True, tag="activity"):
    """A line of Activity, in its latest state."""

    name: str
    kind: ActivityKind
    state: ActivityWord


class GateEntry(msgspec.Struct, frozen=True, tag="gate"):
    """A question to the person; `resolution` is None while it waits."""

    kind: GateKind
    resolution: str | None


class PlanEntry(msgspec.Struct, frozen=True, tag="plan"):
    """The plan as it last stood."""

    items: tuple[PlanItem, ...]


class HealthEntry(msgspec.Struct, frozen=True, tag="health"):
    """Runtime health moved."""

    state: HealthState
    code: Code


class SourceEntry(msgspec.Struct, frozen=True, tag="source"):
    """A reference."""

    title: str


class ArtifactEntry(msgspec.Struct, frozen=True, tag="artifact"):
    """Something produced."""

    name: str


Entry = (
    CommentaryEntry
    | ActivityEntry
    | GateEntry
    | PlanEntry
    | HealthEntry
    | SourceEntry
    | ArtifactEntry
)


Keyed = tuple[Entry, tuple[str, ...]]
"""An entry, and the keys of the events that it is made of."""


class TerminalEntry(msgspec.Struct, frozen=True):
    """The one answer, or what stands in its place."""

    type: str
    text: str
    outcome: Outcome
    health: HealthState
    code: Code | None = None
    confidence: Confidence | None = None


class RunView(msgspec.Struct, frozen=True):
    """One run as a person sees it: entries in order, one terminal or none yet, children beneath.

    `caused_by` and `continues` are the places, from 1, of the main-thread runs whose background
    work or answered gate began this one (R9, T5). `thought_ms` is the time the collapsed Thinking
    row tells (V3); it takes no part in comparisons of turns.
    """

    run_id: str
    entries: tuple[Entry, ...]
    terminal: TerminalEntry | None
    health: HealthState
    children: tuple[RunView, ...] = ()
    thought_ms: int = 0
    caused_by: int | None = None
    continues: int | None = None

    @property
    def children_outcomes(self) -> dict[str, int]:
        """O6: how many children completed, were blocked, failed, were interrupted or abandoned;
        those still running count as ``running``."""
        return dict(Counter(c.terminal.outcome if c.terminal else "running" for c in self.children))


def fold(events: Iterable[AnyEvent]) -> tuple[RunView, ...]:
    """The main-thread runs, in the order they began, children nested in their parents. A run whose
    parent did not begin before it stands by itself.
    """
    runs: dict[str, dict[int, AnyEvent]] = {}
    for event in events:
        runs.setdefault(event.run_id, {}).setdefault(event.seq, event)
    ordered = {run: [seen[n] for n in sorted(seen)] for run, seen in runs.items()}
    births = {run: place for place, run in enumerate(sorted(ordered, key=_birth))}
    main: list[RunView] = []
    children: dict[str, list[RunView]] = {}
    for run in reversed(births):  # children are complete before their parents are
        first = ordered[run][0]
        parent = first.parent_run_id if isinstance(first, RunStarted) else None
        siblings = main
        if parent is not None and births.get(parent, births[run]) < births[run]:
            siblings = children.setdefault(parent, [])
        siblings.append(_view(run, ordered[run], tuple(reversed(children.pop(run, ())))))
    main.reverse()
    places = {view.run_id: place for place, view in enumerate(main, 1)}
    return tuple(_rooted(view, ordered[view.run_id][0], places) for view in main)


def _rooted(view: RunView, first: AnyEvent, places: dict[str, int]) -> RunView:
    """The view with the places of the runs that its first event names."""
    if not isinstance(first, RunStarted) or not (first.caused_by or first.continues):
        return view
    cause, former = first.caused_by or "", first.continues or ""
    return replace(view, caused_by=places.get(cause), continues=places.get(former))


def key_of(event: AnyEvent) -> str:
    """What names the line that an event is about, among the lines of its run; empty for an event
    that has none: a run's start and its end.
    """
    match event:
        case Commentary():
            return event.message_id
        case Activity():
            return event.activity_id
        case InputRequested() | InputResolved():
            return event.request_id
        case Plan():
            return "plan"
        case Health():
            return f"h{event.seq}"
        case Source():
            return event.source_id
        case Artifact():
            return event.artifact_id
        case _:
            return ""


def keyed_entries(events: Iterable[AnyEvent]) -> tuple[Keyed, ...]:
    """The entries of one run's events, in the order of their numbers; with each the keys of the
    events that it is made of (`key_of`).
    """
    slots: dict[str, tuple[int, Entry]] = {}
    for event in events:
        _place(slots, event)
    ordered = sorted(slots.items(), key=lambda slot: slot[1][0])
    return tuple(_coalesce([(entry, (key,)) for key, (_, entry) in ordered]))


def _birth(run_id: str) -> tuple[str, int]:
    """Runs in the order of their ordinals, which is the order in which they began."""
    head, _, tail = run_id.rpartition(".")
    return (head, int(tail)) if tail.isdecimal() else (run_id, 0)


def _view(run: str, events: list[AnyEvent], children: tuple[RunView, ...]) -> RunView:
    health: HealthState = "healthy"
    terminal: TerminalEntry | None = None
    for event in events:
        match event:
            case Final() | NeedsInput() | Failed() | Cancelled() if terminal is None:
                terminal = TerminalEntry(
                    _tag(event),
                    event.text,
                    event.outcome,
                    event.health,
                    event.code,
                    event.confidence,
                )
                health = event.health
            case Health():
                health = event.state
            case _:
                pass
    entries = tuple(entry for entry, _ in keyed_entries(events))
    thought = max((e.at_ms for e in events if e.terminal), default=events[-1].at_ms)
    return RunView(run, entries, terminal, health, children, thought)


def _place(slots: dict[str, tuple[int, Entry]], event: AnyEvent) -> None:
    """Update the entry in place: it keeps the position of its first event (V2)."""
    match event:
        case Commentary():
            _speak(slots, event)
        case Activity():
            _put(slots, event, ActivityEntry(event.name, event.kind, event.state))
        case InputRequested():
            _put(slots, event, GateEntry(event.kind, None))
        case InputResolved():
            _put(slots, event, GateEntry(event.kind, event.resolution))
        case Plan():
            _put(slots, event, PlanEntry(event.items))
        case Health():
            _put(slots, event, HealthEntry(event.state, event.code))
        case Source():
            _put(slots, event, SourceEntry(event.title))
        case Artifact():
            _put(slots, event, ArtifactEntry(event.name))
        case _:
            pass


def _put(slots: dict[str, tuple[int, Entry]], event: AnyEvent, entry: Entry) -> None:
    key = key_of(event)
    slots[key] = (slots[key][0] if key in slots else event.seq, entry)


def _speak(slots: dict[str, tuple[int, Entry]], event: Commentary) -> None:
    """C7: apply at the offset; offset 0 replaces; a retracted message disappears."""
    if event.retracted:
        slots.pop(event.message_id, None)
        return
    before = ""
    if event.message_id in slots and event.offset:
        entry = slots[event.message_id][1]
        before = entry.text[: event.offset] if isinstance(entry, CommentaryEntry) else ""
    text = before + event.text
    _put(slots, event, CommentaryEntry(text, event.done))


def _coalesce(entries: list[Keyed]) -> list[Keyed]:
    """V2: of two neighbouring lines of Thinking that say the same, the longer stays; trouble that
    is told again without change is one row.
    """
    kept: list[Keyed] = []
    for entry, keys in entries:
        match (kept[-1][0] if kept else None), entry:
            case CommentaryEntry() as last, CommentaryEntry() if near_duplicates(
                last.text, entry.text
            ):
                longer = max(last, entry, key=lambda line: len(line.text))
                kept[-1] = longer, (*kept[-1][1], *keys)
            case HealthEntry() as last, HealthEntry() if last == entry:
                kept[-1] = last, (*kept[-1][1], *keys)
            case _:
                kept.append((entry, keys))
    return kept


def _tag(event: AnyEvent) -> str:
    return str(type(event).__struct_config__.tag)
