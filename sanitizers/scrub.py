"""What a text becomes: the treatments of visible, hidden and private text in one session and
profile.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from turnreel.lifecycle.prompts import place_of_program

from .matches import Span
from .memory import MOST, SHORT, Recent, remembered
from .placeholders import Placeholders
from .policy import Profile
from .report import Tally
from .scanner import Scanner
from .shape import shape
from .sources import Sources

_FOLDED: Final = frozenset({"user", "host", "mail"})
"""Kinds of values that are the same in capitals."""

_WORD: Final = re.compile(
    r"[a-z][A-Za-z]{0,23}[0-9]{0,3}(?:[_.-][a-z0-9]{1,15}){0,8}|SIG[A-Z]{2,5}[0-9]?"
)
_VERSION: Final = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,8}){1,4}(?:[-+][a-z]{1,5}[0-9.]{0,8})?")
_FIELD: Final = re.compile(r"[$A-Za-z_][A-Za-z0-9_$-]{0,47}")


class Scrubbed(NamedTuple):
    """What a text became, and which rules found what was replaced."""

    text: str
    rules: tuple[str, ...]


class Scrubber:
    """Pure text treatments over one scanner, one map of placeholders and one profile."""

    def __init__(
        self,
        scanner: Scanner,
        placeholders: Placeholders,
        tally: Tally,
        profile: Profile,
        sources: Sources,
        literals: Iterable[str] = (),
        inner: Iterable[str] = (),
    ) -> None:
        self.scanner = scanner
        self.placeholders = placeholders
        self.tally = tally
        self.literals = tuple(sorted(literals, key=len, reverse=True))
        self._inner = re.compile("|".join(inner) or r"(?!)")
        self._scrubbed: dict[str, Scrubbed] = {}
        self._recent = Recent[Scrubbed]()
        self.word = remembered(self._word)
        """A word of a vocabulary that is not closed; anything else becomes a placeholder."""
        self.field = remembered(self._field)
        """A field name nobody listed, beside listed ones: kept if it can only be a name."""
        self._visible = self.scrub if profile == "fixture" else self.distinct
        self._strict = profile == "strict"
        self._sources = sources

    def visible(self, text: str) -> str:
        """Visible text, by profile. From the first one on, no names are learned."""
        self.scanner.settle()
        return self._visible(text)

    def replacement(self, span: Span) -> str:
        """What stands for a span that holds its value. Who writes it counts it."""
        value = span.value.casefold() if span.kind in _FOLDED else span.value
        if span.kind == "id":
            return self.placeholders.id(value)
        return self.placeholders.of(span.kind, value)

    def scrub(self, text: str) -> str:
        """Visible text with its secrets replaced; the rest stays readable."""
        known = self._scrubbed.get(text) or self._recent.get(text)
        if known is None:
            known = self._scrub(text)
            self.remember(text, known)
        if known.rules:
            self.tally.replaced.update(known.rules)
        return known.text

    def remember(self, text: str, known: Scrubbed) -> None:
        """What `text` becomes is known, since it was streamed."""
        if len(text) > SHORT:
            self._recent.put(text, known)
            return
        if len(self._scrubbed) >= MOST:
            self._scrubbed.clear()
        self._scrubbed[text] = known

    def _scrub(self, text: str) -> Scrubbed:
        spans = self.scanner.spans(text)
        parts: list[str] = []
        at = 0
        for span in spans:
            value = span.value or text[span.start : span.end]
            parts += text[at : span.start], self.replacement(span._replace(value=value))
            at = span.end
        return Scrubbed("".join((*parts, text[at:])), tuple(span.rule for span in spans))

    def visible_number(self, value: float) -> float:
        """A number in visible content: as readable as text is."""
        return 0 if self._strict else value

    def shaped(self, text: str) -> str:
        """Private text: only literals of the runtime and its form remain."""
        if text.startswith(self.literals):
            for literal in self.literals:
                if text.startswith(literal):
                    return literal + shape(text[len(literal) :])
        parts: list[str] = []
        at = 0
        for match in self._inner.finditer(text):
            parts += shape(text[at : match.start()]), match[0]
            at = match.end()
        return "".join((*parts, shape(text[at:])))

    def distinct(self, text: str) -> str:
        """Shaped visible text, in which two texts that differ still differ: a further one of the
        same shape is marked in its first letters, so that it neither equals nor begins another
        (S6, V2).
        """
        if text.startswith(self.literals):
            return self.shaped(text)
        return self._sources.shape(text)

    def _word(self, value: str) -> str:
        """A word of a vocabulary that is not closed; what does not look like one becomes a
        placeholder.
        """
        if _WORD.fullmatch(value) and not self.scanner.spans(value):
            return value
        return self.placeholders.of("value", value)

    def version(self, value: str) -> str:
        """A version number."""
        return value if _VERSION.fullmatch(value) else self.placeholders.of("value", value)

    def _field(self, key: str) -> str:
        if _FIELD.fullmatch(key) and not self.scanner.spans(key):
            return key
        return self.placeholders.of("field", key)

    def command(self, text: str) -> str:
        """A command line: the program's name stays, all else is shape."""
        place = place_of_program(text)
        if place is None or self.scrub(text[place]) != text[place]:
            return shape(text)
        return shape(text[: place.start]) + text[place] + shape(text[place.stop :])
