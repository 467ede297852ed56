"""The seal gate: the last look at what is about to be written, with other eyes than the engine's.

It knows no policy. It looks at every string of a finished record, keys included, with the secret
rules and for the literals the recorder knows, in all their forms, and asks a second opinion if
there is one. What is found is masked in shape mode and looked at again, then filled, then replaced;
then so is every string of the record. A record in which even then something is found is objected
to: it must not be sealed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from turnreel.wire.json_style import NotJson, load
from turnreel.wire.units import Json, JsonUnit, TextUnit, TornUnit, Unit

from .memory import Recent
from .opinion import Opinion
from .placeholders import MASKED, is_own_id
from .report import Tally
from .scanner import Scanner
from .shape import filler, is_shape, shape
from .slots import Slot

_ESCALATION: Final[tuple[Callable[[str], str], ...]] = (shape, filler, lambda _: MASKED)

Body = Unit | dict[str, Json]
"""What a record holds."""

_REMEMBERED: Final = 8192
_SHORT: Final = 64


class Hit(NamedTuple):
    """Something in a finished line that may be private: which rule says so, and where. Never the
    value.
    """

    rule: str
    start: int
    end: int


class Objection(NamedTuple):
    """A record that must not be sealed: which rule still finds something in the record of that
    number, counted from 1. Never the value.
    """

    rule: str
    record: int


class Gate:
    """Looks at finished records with one scanner."""

    def __init__(
        self, scanner: Scanner, tally: Tally | None = None, opinion: Opinion | None = None
    ) -> None:
        self._scanner = scanner
        self._tally = tally or Tally()
        self._opinion = opinion
        self._clean = set(scanner.words)
        # A known value may be all of a shape's characters; nothing else that is private can.
        self._passes = is_shape if not scanner.known else lambda _: False
        self._recent = Recent[bool]()
        self._admitted = 0
        self.objections: list[Objection] = []

    def check(self, line: str) -> list[Hit]:
        """What in a serialized line may be private: in the line as it stands, and in its strings
        as they read. Places are those in the line, or in the string.
        """
        spans = list(self._scanner.spans(line, "whole"))
        with suppress(NotJson):
            for text in _texts(load(line.encode("utf-8", "surrogatepass"))):
                spans += self._scanner.spans(text, "whole")
        return [Hit(span.rule, span.start, span.end) for span in spans]

    def admit(self, bodies: list[Body], slots: Sequence[Slot] = ()) -> list[Body]:
        """The same bodies where nothing is found in them; what was found is masked in the others.

        Looks at all of them at once first, since nearly always nothing is found. What landed in the
        `slots` of the bodies is looked at as one text a block, before it is put into its place: a
        piece reads otherwise than the whole, and where it ends nothing can be told.
        """
        first = self._admitted + 1
        if slots:
            self._admit_streams(slots, first)
        found: list[str] = []
        for body in bodies:
            _collect(_strings(body), self._clean, found)
        unclean = set() if self._is_clean(found) else self._unclean(bodies)
        for slot in slots:
            slot.put()
        self._admitted += len(bodies)
        if not unclean:
            return bodies
        return [
            self._cleaned(body, first + at) if at in unclean else body
            for at, body in enumerate(bodies)
        ]

    def _cleaned(self, body: Body, number: int) -> Body:
        clean = body
        treats: list[Callable[[Json], Json]] = [self._mask]
        treats += [partial(_all, treat) for treat in _ESCALATION]
        for treat in treats:
            clean = _with_strings(body, treat)
            if not self._unclean([clean]):
                return clean
        self._object(self._rules("\n".join(_texts(_strings(clean)))), number)
        return clean

    def _object(self, rules: list[str], record: int) -> None:
        self.objections += [Objection(rule, record) for rule in sorted(set(rules))]

    def _admit_streams(self, slots: Sequence[Slot], number: int) -> None:
        """Masks the blocks in whose pieces something is found; the first is of record `number`."""
        streams: dict[int, list[Slot]] = {}
        for slot in slots:
            if slot.stream == "text":  # of JSON every string was treated by its policy line
                streams.setdefault(id(slot.block), []).append(slot)
        for pieces in streams.values():
            texts = [slot.landed for slot in pieces]
            for treat in _ESCALATION:
                found = self._rules_inside("".join(slot.landed for slot in pieces))
                if not found:
                    break
                self._tally.gate.update(found)
                for slot, text in zip(pieces, texts, strict=True):
                    slot.landed = treat(text) if text else text
            else:
                found = self._rules_inside("".join(slot.landed for slot in pieces))
                self._object(found, number)

    def _rules_inside(self, text: str) -> list[str]:
        """The rules that find something in a part of a text, whatever stands around it."""
        if self._passes(text):
            return []
        spans = self._scanner.spans(text, "whole")
        found = [span.rule for span in spans if span.start > 0 and span.end < len(text)]
        if self._opinion is not None:
            found += self._opinion(text)
        elif not spans:
            self._recent.put(text, True)
        return found

    def _unclean(self, bodies: list[Body]) -> set[int]:
        """Which of them something is found in, counted from 0."""
        unclean: set[int] = set()
        for at, body in enumerate(bodies):
            found: list[str] = []
            _collect(_strings(body), self._clean, found)
            if not self._is_clean(found):
                unclean.add(at)
        return unclean

    def _is_clean(self, found: list[str]) -> bool:
        """Whether nothing is found in texts that are not known to be clean."""
        recent = self._recent.get
        fresh = [
            text for text in found if not (recent(text) or self._passes(text) or is_own_id(text))
        ]
        if not fresh:
            return True
        if self._rules("\n".join(fresh)):
            return False
        known = self._clean
        if len(known) >= _REMEMBERED:
            known.clear()
            known |= self._scanner.words
        known.update(text for text in fresh if len(text) <= _SHORT)
        return True

    def _rules(self, text: str) -> list[str]:
        """The rules that find something in `text`."""
        found = [span.rule for span in self._scanner.spans(text, "whole")]
        if self._opinion is not None:
            found += self._opinion(text)
        return found

    def _mask(self, value: Json) -> Json:
        """`value` with what is found in its strings masked."""
        return _all(self._masked, value)

    def _masked(self, text: str) -> str:
        clean = text
        for treat in _ESCALATION:
            found = self._rules(clean)
            if not found:
                break
            self._tally.gate.update(found)
            clean = treat(text)
        return clean


def _all(treat: Callable[[str], str], value: Json) -> Json:
    """`value` with every string treated, keys included."""
    match value:
        case str():
            return treat(value)
        case list():
            return [_all(treat, item) for item in value]
        case dict():
            return {treat(key): _all(treat, item) for key, item in value.items()}
        case _:
            return value


def _with_strings(body: Body, treat: Callable[[Json], Json]) -> Body:
    match body:
        case JsonUnit(value, framing, style):
            return JsonUnit(treat(value), framing, style)
        case TextUnit(text, framing):
            return TextUnit(str(treat(text)), framing)
        case TornUnit():
            return body
        case fields:
            treated = treat(fields)
            assert isinstance(treated, dict), "an object stays an object"
            return treated


def _texts(value: Json) -> list[str]:
    found: list[str] = []
    _collect(value, set(), found)
    return found


def _strings(body: Body) -> Json:
    kind = type(body)  # asked of every record: a chain of tests is quicker than a match
    if kind is JsonUnit:
        return body.value  # type: ignore[union-attr]
    if kind is TextUnit:
        return body.text  # type: ignore[union-attr]
    return None if kind is TornUnit else body  # type: ignore[return-value]


def _collect(value: Json, known: set[str], found: list[str]) -> None:
    """Every string of `value`, keys included, that is not `known`. The hottest walk there is."""
    kind = type(value)
    if kind is str:
        if value not in known:
            found.append(value)  # type: ignore[arg-type]
    elif kind is dict:
        for key, item in value.items():  # type: ignore[union-attr]
            if key not in known:
                found.append(key)
            if type(item) is str:
                if item not in known:
                    found.append(item)
            elif item is not None:
                _collect(item, known, found)
    elif kind is list:
        for item in value:  # type: ignore[union-attr]
            _collect(item, known, found)
