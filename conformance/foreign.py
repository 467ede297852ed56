"""Somebody else's events, judged: lines of turn/1 that no adapter here produced.

A session's journal has notices among them. A reader ignores unknown fields and unknown non-terminal
types (E3). What cannot be read as an event is a finding like any other, so that one bad line does
not hide the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from turnreel.lifecycle.events import AnyEvent, decode_event
from turnreel.lifecycle.notices import AnyNotice, Entry, Notice, decode_notice

from .errors import ConformanceError
from .judging import judged, judged_journal
from .watching import Violation

LINE_LIMIT: Final = 16 << 20
"""Bytes a line may have: an event's text is a message of a model."""

DECODERS: Final[dict[str, Callable[[bytes], Entry]]] = {
    **{str(kind.__struct_config__.tag): decode_event for kind in AnyEvent.__args__},
    **{str(kind.__struct_config__.tag): decode_notice for kind in AnyNotice.__args__},
}
"""By the type that a line says it has."""


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """What was read, and what is wrong with it. `notices` counts those of a session's journal,
    `ignored` lines of types that this version does not know.
    """

    events: int
    runs: int
    notices: int = 0
    ignored: dict[str, int]
    violations: tuple[Violation, ...]

    @property
    def ok(self) -> bool:
        """Whether every clause holds."""
        return not self.violations


def judge(lines: Iterable[bytes], name: str) -> Judgement:
    """Judge `lines`, one event each, blank ones apart; `name` is what errors call them.

    Raises `ConformanceError` if not one of them is an event or a notice; it says why the first
    line is none.
    """
    told = read(lines)
    if not told.entries:
        why = "".join(f": {fault.message}" for fault in told.faults[:1])
        raise ConformanceError(
            f"{name}: holds no event of turn/1{why}",
            "one JSON object a line, as turnreel translate prints them",
        )
    return Judgement(
        events=len(told.events),
        runs=len({event.run_id for event in told.events}),
        notices=len(told.entries) - len(told.events),
        ignored=told.ignored,
        violations=told.violations(),
    )


class Told(msgspec.Struct, frozen=True):
    """What was read: events, and notices of a journal; lines that are none as faults, and how many
    lines are of types that this version does not know.
    """

    entries: tuple[Entry, ...]
    faults: tuple[Violation, ...]
    ignored: dict[str, int]

    @property
    def events(self) -> tuple[AnyEvent, ...]:
        """Those that are of a turn."""
        return tuple(entry for entry in self.entries if not isinstance(entry, Notice))

    def violations(self) -> tuple[Violation, ...]:
        """All that is wrong with it."""
        events = self.events
        journal = judged_journal(self.entries) if len(events) < len(self.entries) else ()
        return (*self.faults, *judged(events), *journal)


def read(lines: Iterable[bytes]) -> Told:
    """What `lines` tell, one event each, blank ones apart. Raises nothing."""
    entries: list[Entry] = []
    ignored: Counter[str] = Counter()
    faults: list[Violation] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        match _read(line):
            case Unreadable(why):
                faults.append(_fault(number, why))
            case UnknownType(kind, is_terminal=True):
                faults.append(_fault(number, f"unknown terminal type {kind!r}", "E3"))
            case UnknownType(kind):
                ignored[kind] += 1
            case entry:
                entries.append(entry)
    return Told(tuple(entries), tuple(faults), dict(ignored))


class Unreadable(msgspec.Struct, frozen=True):
    """A line that is no event, and why."""

    why: str


class UnknownType(msgspec.Struct, frozen=True):
    """An event of a type that this version does not know."""

    kind: str
    is_terminal: bool = False


def _read(line: bytes) -> Entry | UnknownType | Unreadable:
    if len(line) > LINE_LIMIT:
        return Unreadable("longer than an event may be")
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return Unreadable("is not JSON")
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(kind, str):
        return Unreadable("is no event: it has no type")
    if (decode := DECODERS.get(kind)) is None:
        return UnknownType(kind, value.get("terminal") is True)
    try:
        return decode(line)
    except msgspec.ValidationError as error:
        return Unreadable(f"is no {kind}: {error}")


def _fault(number: int, message: str, clause: str = "E1") -> Violation:
    return Violation(clause=clause, run_id="", message=f"line {number}: {message}", seq=0)
