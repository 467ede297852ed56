"""The right turn, and what came out, line by line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

import msgspec

from turnreel.cassettes.render import clip
from turnreel.cassettes.turnfile import parse_turns, read_turns, render_turns
from turnreel.conformance import clauses, goldens, reasons
from turnreel.conformance.describe import demand
from turnreel.conformance.foreign import Told, read
from turnreel.lifecycle.events import Event
from turnreel.wire.errors import TurnreelError

from .plainly import plainly

if TYPE_CHECKING:
    from .recorded import Recorded

SHOWN: Final = 80
"""Lines of a difference that are told in full; of longer ones those around what differs."""

BRIEF: Final = 7
BRIEF_WIDTH: Final = 76
"""What pytest shows of an assertion, unless it is asked for more."""


_TEXTS: Final = re.compile(r'"(?:[^"\\]|\\.)*"')


class Turn:
    """The turn that is right for a recording.

    Equal to what came out of an adapter, whether that is a list of events (of turnreel, dicts or
    JSON lines), one text or bytes of JSON lines, or the text of a ``.turn`` file.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, cassette: Recorded) -> None:
        self._cassette = cassette
        self._heard: tuple[object, list[object]] | None = None
        self.explanation: tuple[str, ...] = ()
        """How what it was last compared with differs; empty if it does not."""

    @property
    def text(self) -> str:
        """The turn, in the words of its file."""
        path, golden = self._cassette.path, goldens.golden_path(self._cassette.path)
        with plainly():
            if self._cassette.is_new:  # whoever records it says that it is right
                goldens.write(path, self._cassette.events)
            elif not golden.exists():
                raise TurnreelError(
                    f"{golden}: nobody said which turn is right",
                    f"turnreel verify --accept {path} writes it: read it",
                )
            return render_turns(read_turns(golden))

    def violations(self, events: object) -> list[str]:
        """The clauses of the contract that `events` do not keep, a line each; empty if they keep
        all of them. What no event can be read of is one.
        """
        return list(_told(read(_lines(self._whole(events)))))

    def __eq__(self, other: object) -> bool:
        expected, actual = self.text, self._came_out(other)
        if self._cassette.is_new and self._cassette.header.profile == "strict":
            # The real agent's words are not those that landed; its turn is.
            expected, actual = _TEXTS.sub('""', expected), _TEXTS.sub('""', actual)
        is_equal = expected == actual
        self.explanation = () if is_equal else tuple(self._difference(other))
        return is_equal

    def __repr__(self) -> str:
        return f"<turn of {self._cassette.path.name}>"

    def _difference(self, other: object) -> Iterator[str]:
        """How `other` differs, for a person: ``-`` should have come, ``+`` came."""
        name = goldens.golden_path(self._cassette.path).name
        yield f"the turn that came out is not the one in {name}"
        yield ""
        expected = self.text.splitlines()
        actual = self._came_out(other).splitlines()
        whole = len(expected) + len(actual)
        lines = difflib.unified_diff(
            expected, actual, "expected", "came out", n=whole if whole <= SHOWN else 3, lineterm=""
        )
        yield from (line for line in lines if not line.startswith("@@") or whole > SHOWN)
        wanted, came = clauses.first_difference(expected, actual)
        if clause := clauses.between(wanted, came):
            demanded = demand(clause)
            yield from ("", f"read on at {clause}" + (f": {demanded}" if demanded else ""))
        if behind := self._behind(wanted):
            yield from ("", f"what should have come rests on, in {self._cassette.path.name}:")
            yield from behind
        if not isinstance(other, Turn) and not _is_turn(other):
            broken = self.violations(other)
            yield from ("", "clauses that the events do not keep:", *broken) if broken else ()

    def _behind(self, wanted: str) -> list[str]:
        """The records by which that line of the turn comes out of turnreel's own adapter; none
        where it does not.
        """
        told = reasons.explain(self._cassette.path)
        line = next((one for one in told.lines if one.text == wanted), None)
        return [told.frames[number] for number in line.records] if line is not None else []

    def _came_out(self, other: object) -> str:
        return other.text if isinstance(other, Turn) else came_out(self._whole(other))

    def _whole(self, other: object) -> object:
        """What can be gone through again: an iterator is asked once, and explained after that."""
        if not isinstance(other, Iterator):
            return other
        if self._heard is None or self._heard[0] is not other:
            self._heard = (other, list(other))
        return self._heard[1]


def explained(left: object, right: object) -> list[str] | None:
    """What pytest shows beside the assertion of a turn that is not equal; None where neither is a
    turn. Longer explanations are shortened to their first difference: they are told whole below.
    """
    turn = left if isinstance(left, Turn) else right
    if not isinstance(turn, Turn):
        return None
    lines = turn.explanation
    if len(lines) <= BRIEF:
        return list(lines)
    first = next(place for place, line in enumerate(lines) if place > 3 and line[:1] in "-+")
    around = [clip(line, BRIEF_WIDTH) for line in lines[first - 1 : first + BRIEF - 4]]
    return [lines[0], "", *around, "…"]


def came_out(other: object) -> str:
    """The turn of what came out, in the words of a turn file."""
    if isinstance(other, str) and _is_turn(other):
        with plainly():
            return render_turns(parse_turns(other, "what came out"))
    return goldens.turn_text(read(_lines(other)).events)


def _is_turn(other: object) -> bool:
    return isinstance(other, str) and other.lstrip().startswith("run")


def _told(read: Told) -> Iterator[str]:
    for one in read.violations():
        place = f"event {one.seq} of {one.run_id}: " if one.run_id else ""
        demanded = f" ({told})" if (told := demand(one.clause)) else ""
        yield f"{one.clause}: {place}{one.message}{demanded}"


def _lines(events: object) -> Iterator[bytes]:
    match events:
        case str():
            yield from events.encode().splitlines()
        case bytes():
            yield from events.splitlines()
        case Iterable():
            for event in events:
                match event:
                    case str():
                        yield event.encode()
                    case bytes():
                        yield event
                    case Event():
                        yield msgspec.json.encode(event)
                    case _:
                        yield _encoded(event)
        case _:
            yield _encoded(events)


def _encoded(value: object) -> bytes:
    """Anything as a line: what is no event is found to be none."""
    try:
        return msgspec.json.encode(value)
    except TypeError:
        return repr(value).encode()
