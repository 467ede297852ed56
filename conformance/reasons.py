"""Why a turn came out as it did: each line of it with its clause and the records behind it.

Made of the sanitized recording alone (Q5). A line rests on the frames that caused its events, and
on the one in which its text was first said, which often came earlier: what a text is becomes known
by what follows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from turnreel.adapters.base import Edge
from turnreel.cassettes import Header
from turnreel.cassettes.render import render
from turnreel.cassettes.turnfile import render_turns
from turnreel.lifecycle.events import TERMINALS, AnyEvent, Cancelled, Final
from turnreel.lifecycle.fold import CommentaryEntry, RunView, fold, key_of, keyed_entries
from turnreel.lifecycle.observations import CancelAsked, Said, Saying
from turnreel.lifecycle.signals import CancelRequested

from . import clauses
from .describe import demand
from .explain import WIDTH
from .native import native_of
from .recording import Recording, load, record_number
from .sessions import runs_of
from .testimony import NEVER, Testimony
from .watching import Native

FRAMES = 12
"""Records that are named for a line: the first and the last ones."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a turn, numbered as in its ``.turn`` file. `run` is the place of its run of the
    main thread, from 1. `records` are the numbers of those it rests on, `more` how many there are
    between the first and the last ones of them.
    """

    number: int
    run: int
    text: str
    clause: str
    demands: str
    records: tuple[int, ...]
    more: int = 0


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """A recording's turns, line by line, and in one line each the records that lines name."""

    header: Header
    lines: tuple[Line, ...]
    frames: dict[int, str]


class _Cause(NamedTuple):
    """What a line rests on: numbers of arrivals."""

    run: int
    arrivals: frozenset[int]


def explain(path: Path) -> Explanation:
    """Why the turns of the recording at `path` come out as they do. Raises `CassetteError` for one
    that cannot be read.
    """
    recording = load(path)
    translator = recording.translator()
    events = [event for one in recording.arrivals for event in translator.feed(one)]
    views = tuple(fold(events))
    native = native_of(recording)
    causes = _causes(views, runs_of(events), native)
    texts = render_turns(views).splitlines()
    lines = tuple(
        _line(number, text, cause)
        for number, (text, cause) in enumerate(zip(texts, causes, strict=True), 1)
    )
    return Explanation(header=recording.header, lines=lines, frames=_frames(recording, lines))


def _line(number: int, text: str, cause: _Cause) -> Line:
    records = sorted({record_number(arrival) for arrival in cause.arrivals})
    half = FRAMES // 2
    named = records if len(records) <= FRAMES else [*records[:half], *records[-half:]]
    clause = clauses.of_line(text)
    return Line(
        number=number,
        run=cause.run,
        text=text,
        clause=clause,
        demands=demand(clause),
        records=tuple(named),
        more=len(records) - len(named),
    )


def _frames(recording: Recording, lines: Iterable[Line]) -> dict[int, str]:
    numbers = sorted({number for line in lines for number in line.records})
    records = recording.records
    return {n: render(records[n - 1], WIDTH) for n in numbers if 1 <= n <= len(records)}


def _causes(
    views: Iterable[RunView], told: Mapping[str, Sequence[AnyEvent]], native: Native
) -> Iterator[_Cause]:
    """In the order in which a turn file has its lines."""
    for place, view in enumerate(views, 1):
        for arrivals in _of_run(view, told, native):
            yield _Cause(place, arrivals)


def _of_run(
    view: RunView, told: Mapping[str, Sequence[AnyEvent]], native: Native
) -> Iterator[frozenset[int]]:
    events = sorted(told[view.run_id], key=lambda event: event.seq)
    said = _Said(native, view.run_id)
    yield _evidence(events[:1])
    for entry, keys in keyed_entries(events):
        own = _evidence(event for event in events if key_of(event) in keys)
        yield own | said.where(entry.text) if isinstance(entry, CommentaryEntry) else own
    ends = [event for event in events if isinstance(event, TERMINALS)][:1]
    own = _evidence(ends or events[-1:])
    match ends:
        case [Final(text=text)]:
            yield own | said.where_answered(text)
        case [Cancelled()]:
            yield own | _where_cancelled(native, last=max(own, default=0))
        case _:
            yield own
    for child in view.children:
        yield from _of_run(child, told, native)


def _evidence(events: Iterable[AnyEvent]) -> frozenset[int]:
    return frozenset(ref.index for event in events for ref in event.evidence)


def _where_cancelled(native: Native, last: int) -> frozenset[int]:
    """Where the host asked to cancel, before `last`."""
    return frozenset(
        number
        for number, arrival in native.arrivals.items()
        if number <= last
        and (
            (isinstance(arrival, Edge) and isinstance(arrival.signal, CancelRequested))
            or any(isinstance(one, CancelAsked) for one in native.observed.get(number, ()))
        )
    )


class _Said:
    """The messages of a run, and the arrival in which each began to be said."""

    def __init__(self, native: Native, run_id: str) -> None:
        told = native.testimony.get(run_id, Testimony()).messages
        began: dict[str, int] = {}
        for number, seen in native.observed.items():
            for one in seen:
                if isinstance(one, Saying | Said) and one.message in told:
                    began.setdefault(one.message, number)
        self._messages = [(number, told[name]) for name, number in began.items()]

    def where(self, text: str) -> frozenset[int]:
        """Where the message with this text began, the first if several have it."""
        places = (n for n, one in self._messages if any(text in said for said in one.versions))
        return frozenset([*places][:1])

    def where_answered(self, text: str) -> frozenset[int]:
        """Where the messages that an answer is made of began: those that nothing told to be
        commentary.
        """
        return frozenset(
            number
            for number, one in self._messages
            if one.told_by == NEVER
            and any(said.strip() and said.strip() in text for said in one.versions)
        )
