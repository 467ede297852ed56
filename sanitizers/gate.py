"""The seal gate: the last look at what is about to be written, with other eyes than the engine's.

It knows no policy. It looks at every string of a finished record, keys included, with the secret
rules and for the literals the recorder knows, in all their forms. What it finds is masked in
shape mode and looked at again; what even then stands out is filled.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple

from turnreel.wire.json_style import NotJson, load
from turnreel.wire.units import Json, JsonUnit, TextUnit, TornUnit, Unit

from .placeholders import is_own_id
from .report import Tally
from .scanner import Scanner
from .scrub import MASKED
from .shape import filler, is_shape, shape

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


class Gate:
    """Looks at finished records with one scanner."""

    def __init__(self, scanner: Scanner, tally: Tally | None = None) -> None:
        self._scanner = scanner
        self._tally = tally or Tally()
        self._clean = set(scanner.words)
        # A known value may be all of a shape's characters; nothing else that is private can.
        self._passes = is_shape if not scanner.known else lambda _: False

    def check(self, line: str) -> list[Hit]:
        """What in a serialized line may be private: in the line as it stands, and in its strings
        as they read. Places are those in the line, or in the string.
        """
        spans = list(self._scanner.spans(line, "whole"))
        with suppress(NotJson):
            found: list[str] = []
            _collect(load(line.encode("utf-8", "surrogatepass")), set(), found)
            for text in found:
                spans += self._scanner.spans(text, "whole")
        return [Hit(span.rule, span.start, span.end) for span in spans]

    def admit(self, bodies: list[Body]) -> list[Body]:
        """The same bodies where nothing is found in them; what was found is masked in the others.

        Looks at all of them at once first, since nearly always nothing is found.
        """
        if self._is_clean([_strings(body) for body in bodies]):
            return bodies
        return [self._admitted(body) for body in bodies]

    def _admitted(self, body: Body) -> Body:
        if self._is_clean(_strings(body)):
            return body
        match body:
            case JsonUnit(value, framing, style):
                return JsonUnit(self._mask(value), framing, style)
            case TextUnit(text, framing):
                return TextUnit(self._masked(text), framing)
            case TornUnit():
                return body
            case fields:
                masked = self._mask(fields)
                assert isinstance(masked, dict), "an object stays an object"
                return masked

    def _is_clean(self, value: Json) -> bool:
        known = self._clean
        found: list[str] = []
        _collect(value, known, found)
        fresh = [text for text in found if not (self._passes(text) or is_own_id(text))]
        if not fresh:
            return True
        if self._scanner.spans("\n".join(fresh), "whole"):
            return False
        if len(known) >= _REMEMBERED:
            known.clear()
            known |= self._scanner.words
        known.update(text for text in fresh if len(text) <= _SHORT)
        return True

    def _mask(self, value: Json) -> Json:
        match value:
            case str():
                return self._masked(value)
            case list():
                return [self._mask(item) for item in value]
            case dict():
                return {self._masked(key): self._mask(item) for key, item in value.items()}
            case _:
                return value

    def _masked(self, text: str) -> str:
        clean = text
        for treat in _ESCALATION:
            found = self._scanner.spans(clean, "whole")
            if not found:
                break
            self._tally.gate.update(span.rule for span in found)
            clean = treat(text)
        return clean


def _strings(body: Body) -> Json:
    match body:
        case JsonUnit(value):
            return value
        case TextUnit(text):
            return text
        case TornUnit():
            return None
        case fields:
            return fields


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
