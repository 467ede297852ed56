"""The fold: what a person sees of the events (V1-V3, V5).

`fold` is pure, total and idempotent: it depends on the set of events alone, not on their order
or on how often each came. Thinking is the conversational summary, Activity the structured
trace; neither holds a native payload.
"""

from __future__ import annotations

import re
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


def _birth(run_id: str) -> tuple[str, int]:
    """Runs in the order of their ordinals, which is the order in which they began."""
    head, _, tail = run_id.rpartition(".")
    return (head, int(tail)) if tail.isdecimal() else (run_id, 0)


def _view(run: str, events: list[AnyEvent], children: tuple[RunView, ...]) -> RunView:
    slots: dict[str, tuple[int, Entry]] = {}
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
                slots[f"h{event.seq}"] = (event.seq, HealthEntry(event.state, event.code))
            case _:
                _place(slots, event)
    entries = _coalesce([entry for _, entry in sorted(slots.values(), key=lambda slot: slot[0])])
    thought = max((e.at_ms for e in events if e.terminal), default=events[-1].at_ms)
    return RunView(run, entries, terminal, health, children, thought)


def _place(slots: dict[str, tuple[int, Entry]], event: AnyEvent) -> None:
    """Update the entry in place: it keeps the position of its first event (V2)."""
    match event:
        case Commentary():
            _speak(slots, event)
        case Activity():
            _put(
                slots,
                event.activity_id,
                event.seq,
                ActivityEntry(event.name, event.kind, event.state),
            )
        case InputRequested():
            _put(slots, event.request_id, event.seq, GateEntry(event.kind, None))
        case InputResolved():
            _put(slots, event.request_id, event.seq, GateEntry(event.kind, event.resolution))
        case Plan():
            _put(slots, "plan", event.seq, PlanEntry(event.items))
        case Source():
            _put(slots, event.source_id, event.seq, SourceEntry(event.title))
        case Artifact():
            _put(slots, event.artifact_id, event.seq, ArtifactEntry(event.name))
        case _:
            pass


def _put(slots: dict[str, tuple[int, Entry]], key: str, seq: int, entry: Entry) -> None:
    slots[key] = (slots[key][0] if key in slots else seq, entry)


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
    _put(slots, event.message_id, event.seq, CommentaryEntry(text, event.done))


def _coalesce(entries: list[Entry]) -> tuple[Entry, ...]:
    """V2: of two neighbouring lines of Thinking that say the same, the longer stays; trouble that
    is told again without change is one row.
    """
    kept: list[Entry] = []
    for entry in entries:
        match (kept[-1] if kept else None), entry:
            case CommentaryEntry() as last, CommentaryEntry() if near_duplicates(
                last.text, entry.text
            ):
                kept[-1] = max(last, entry, key=lambda line: len(line.text))
            case HealthEntry() as last, HealthEntry() if last == entry:
                pass
            case _:
                kept.append(entry)
    return tuple(kept)


_END = ".!?…:;,"
_AROUND = "()[]{}<>\"'"
_TELLING = re.compile(r"[\d/\\_@#`]|[.:](?=.)")
"""What makes a word a number, a path or an identifier."""


def near_duplicates(one: str, other: str) -> bool:
    """V2: equal, or one a prefix of the other, after folding case, white space and end
    punctuation; never when a digit, path or identifier differs."""
    a, b = _folded(one), _folded(other)
    short, long = sorted((a, b), key=len)
    return bool(short) and long.startswith(short) and _marks(one) == _marks(other)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(_END + " ")


def _marks(text: str) -> Counter[str]:
    words = (word.strip(_END + _AROUND) for word in text.split())
    return Counter(word for word in words if _TELLING.search(word))


def _tag(event: AnyEvent) -> str:
    return str(type(event).__struct_config__.tag)
