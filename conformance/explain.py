"""Breaches and violations told to a person, from sanitized evidence alone (Q5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from turnreel.cassettes.render import clip, printable, render
from turnreel.lifecycle.events import AnyEvent, Event

from . import clauses
from .findings import Finding
from .goldens import turn_text
from .recording import Recording, record_number
from .sweeps.breach import Breach
from .watching import Violation

AROUND: Final = 2
"""Records shown before and behind the place where a stream was changed."""

LINES: Final = 16
"""Lines of a turn that are shown; those around the first difference."""

FRAMES: Final = 40
"""Records of a scripted turn that are shown: nobody has its recording."""

WIDTH: Final = 160

ENVELOPE: Final = frozenset({"type", *Event.__struct_fields__})
"""Fields that every event has: a line tells those that matter in its own way."""


def of_violation(violation: Violation, told: Sequence[AnyEvent], recording: Recording) -> Finding:
    """A clause that the recorded turn does not keep: its frames, and the events around it."""
    numbers = [record_number(ref.index) for ref in violation.evidence]
    events = [event for event in told if event.run_id == violation.run_id]
    return Finding(
        check="contract",
        clause=violation.clause,
        message=violation.message,
        run_id=violation.run_id,
        seq=violation.seq,
        frames=_frames(recording, numbers),
        actual=_around(events, violation.seq),
    )


def of_turn(finding: Finding, told: Sequence[AnyEvent], recording: Recording) -> Finding:
    """A turn that is not the expected one: the clause of the first line that differs, unless the
    finding names one, and the frames behind what stands there.
    """
    expected, actual = clauses.first_difference(finding.expected, finding.actual)
    word = _word(actual or expected)
    behind = [
        event
        for event in told
        if _tag(event) == word and any(text in actual for text in _words(event))
    ]
    numbers = {record_number(ref.index) for event in behind for ref in event.evidence}
    return replace(
        finding,
        clause=finding.clause or clauses.between(expected, actual),
        frames=_frames(recording, sorted(numbers)[:LINES]),
    )


def _word(line: str) -> str:
    return line.strip().split(" ", 1)[0]


def _tag(event: AnyEvent) -> str:
    kind = str(type(event).__struct_config__.tag)
    return "gate" if kind.startswith("input.") else kind


def _words(event: AnyEvent) -> tuple[str, ...]:
    """What a line of a turn shows of an event; something that every line shows, if nothing."""
    shown = (getattr(event, name, None) for name in ("text", "name", "code"))
    return tuple(str(word) for word in shown if word) or ("",)


def of_breach(breach: Breach, recording: Recording, seed: int) -> Finding:
    """What a sweep found: the records around the place, and both turns where there are two."""
    last = min(breach.place, len(recording.arrivals)) - 1
    record = record_number(recording.arrivals[last].number) if last >= 0 else 0
    if breach.expected:
        expected, actual = _turns(breach.expected, breach.actual)
    else:
        expected, actual = (), _around(breach.actual, breach.seq)
    return Finding(
        check=breach.check,
        clause=breach.clause,
        message=breach.message,
        run_id=breach.run_id,
        seq=breach.seq,
        place=record,
        seed=seed,
        frames=_frames(recording, range(record - AROUND, record + AROUND + 1)),
        expected=expected,
        actual=actual,
    )


def frames(recording: Recording) -> tuple[str, ...]:
    """The first records of a recording, which may be all of a scripted one."""
    return _frames(recording, range(1, FRAMES + 1))


def _frames(recording: Recording, numbers: Iterable[int]) -> tuple[str, ...]:
    records = recording.records
    return tuple(render(records[n - 1], WIDTH) for n in numbers if 1 <= n <= len(records))


def _around(events: Sequence[AnyEvent], seq: int | None) -> tuple[str, ...]:
    """The events around number `seq`; the last ones where there is none."""
    place = next((at for at, one in enumerate(events) if one.seq == seq), len(events) - 1)
    return lines(events[max(0, place - AROUND) : place + AROUND + 1])


def lines(events: Iterable[AnyEvent]) -> tuple[str, ...]:
    """Each of these events in one line."""
    return tuple(clip(_line(event), WIDTH) for event in events)


def _line(event: AnyEvent) -> str:
    """An event in one line: number, type, what it carries, and the records that caused it."""
    fields = msgspec.to_builtins(event)
    told = {
        name: value
        for name, value in fields.items()
        if name not in ENVELOPE and value not in (None, [])
    }
    words = msgspec.json.encode(told).decode()
    causes = " ".join(f"#{record_number(ref.index)}" for ref in event.evidence)
    return printable(f"{event.seq} {fields['type']} {words} <- {causes or 'nothing'}")


def _turns(
    was: Sequence[AnyEvent], now: Sequence[AnyEvent]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    expected, actual = turn_text(was).splitlines(), turn_text(now).splitlines()
    same = 0
    for one, other in zip(expected, actual, strict=False):
        if one != other:
            break
        same += 1
    start = max(0, same - AROUND)
    return tuple(expected[start : start + LINES]), tuple(actual[start : start + LINES])
