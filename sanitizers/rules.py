"""The form of a secret rule, and what follows from it.

A rule matches a bounded *head* at a token boundary, then a greedy *tail* of one character
class, or, for a *block*, everything up to an end mark. Nothing else: so whether a secret starts
at a place depends on the next `Rule.width` characters alone, which is what lets a stream be
decided before it ends. In the head the group ``v`` marks where the value begins that is
replaced; what stands before it is context and stays.
"""

from __future__ import annotations

import re
from functools import cached_property
from re import _constants as code  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

import msgspec

from .forms import expand

_LOOKAHEAD: Final = re.compile(r"\(\?[=!](?:[^()\\]|\\.|\[(?:[^\]\\]|\\.)*\])*\)\Z")
"""What the end of a context asks of the value: it may not have come yet."""

_PREFIX: Final = r"[a-z][a-z0-9]?[.+\-]"
"""What a value may begin with that is of another class than the rest: ``as-``, ``v2.``."""

_NEAR: Final = 4
_VAGUE: Final = 2
"""What an anchor loses, in characters, if more than `_NEAR` places may lie before it."""

_ANCHOR_BRANCHES: Final = 8
"""A class of more characters than this is no part of an anchor."""


class Rule(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A kind of secret.

    `kind` is what its placeholder is called. `head` is a regular expression of bounded width,
    `tail` the inside of a character class. With `until`, everything up to that mark, or the end
    of the text, belongs to the secret. `boundary` says whether a letter or digit right before
    the head forbids a match; one that `yields` cannot tell where its value ends, so there is no
    match where a known value begins, and one that `opens` counts at the beginning of a text or
    of a line alone. `source` names where the format is published, `forms` how it
    is written there (see `forms.expand`), and `check` what checksum it carries, if that is known.
    Where the end of a text cuts the secret short, at least `cut` characters must be left behind
    its anchor, with a digit among them.
    Texts of `forms` match, those of `near_forms` must not.
    """

    name: str
    kind: str
    head: str
    tail: str = ""
    until: str = ""
    boundary: bool = True
    yields: bool = False
    opens: bool = False
    source: str = ""
    check: str = ""
    cut: int = 0
    forms: tuple[str, ...] = ()
    near_forms: tuple[str, ...] = ()

    @cached_property
    def examples(self) -> tuple[str, ...]:
        """A text of each form."""
        return tuple(map(expand, self.forms))

    @cached_property
    def near(self) -> tuple[str, ...]:
        """A text of each form that nearly matches."""
        return tuple(map(expand, self.near_forms))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The whole rule as one expression: what a plain search would look for."""
        rest = f"[{self.tail}]*" if self.tail else ""
        if self.until:
            rest = f"(?:(?!{self.until})[\\s\\S])*(?:{self.until})?"
        return re.compile(f"(?:{self.head}){rest}", re.ASCII)

    @cached_property
    def start(self) -> re.Pattern[str]:
        """The head."""
        return re.compile(self.head, re.ASCII)

    @cached_property
    def rest(self) -> re.Pattern[str] | None:
        """What follows a head: its tail, found right behind it, or the end mark of a block."""
        if self.until:
            return re.compile(self.until)
        return re.compile(f"[{self.tail}]*", re.ASCII) if self.tail else None

    @cached_property
    def width(self) -> int:
        """The most characters that decide whether a head matches, look-ahead included."""
        head = parser.parse(self.head, re.ASCII)
        return int(head.getwidth()[1]) + _ahead(list(head))

    @cached_property
    def anchors(self) -> tuple[Anchor, ...]:
        """Lower-case strings one of which every match holds, and how far from its start."""
        found = _anchors(list(parser.parse(self.head, re.ASCII)))
        if not found:
            raise ValueError(f"rule {self.name} has no anchor: its head holds no fixed text")
        return tuple(found)

    @cached_property
    def has_context(self) -> bool:
        """Whether something before the value belongs to the head and stays."""
        return "v" in self.pattern.groupindex

    @cached_property
    def cut_tail(self) -> re.Pattern[str]:
        """What may follow an anchor when the end of the text cuts the secret short."""
        if self.until:
            return re.compile(r"[A-Z ]*-{0,5}\s*\Z")
        inside = self.tail or r"A-Za-z0-9_\-"
        digit = f"(?=[{inside}]*[0-9])" if self.cut else ""
        return re.compile(f"{digit}[{inside}]{{{self.cut},}}\\s*\\Z")

    @cached_property
    def cut_value(self) -> re.Pattern[str] | None:
        """All of the context, and a value that the end of the text cuts short; None where nothing
        of it could be told from a word.
        """
        head = _LOOKAHEAD.sub("", self.head)
        if not self.tail:
            return re.compile(rf"(?:{head})\s*\Z", re.ASCII) if head != self.head else None
        context = _LOOKAHEAD.sub("", head[: head.index("(?P<v>")])
        inside = self.tail
        value = rf"(?:{_PREFIX})?(?:(?!\s)[{inside}]){{4,31}}|(?<=[\"'`])(?!\s)[{inside}]{{4,31}}"
        try:
            return re.compile(rf"(?:{context})(?P<v>{value})\s*\Z", re.ASCII)
        except re.error:  # the value stands inside a group
            return None


class Anchor(NamedTuple):
    """A fixed `text` that stands between `low` and `high` characters after a match's start."""

    text: str
    low: int
    high: int


def _anchors(items: list[tuple[Any, Any]]) -> list[Anchor]:
    """The best set of anchors of a sequence: the one whose shortest text is longest."""
    best: list[Anchor] = []
    low = high = 0
    runs: list[str] = [""]
    start = (0, 0)
    for item in items:
        texts = _fixed(item)
        if texts is not None and len(runs) * len(texts) <= _ANCHOR_BRANCHES:
            if runs == [""]:
                start = (low, high)
            runs = [run + text for run in runs for text in texts]
        else:
            if runs == [""]:
                start = (low, high)
            last = _alternatives(item)
            if last and len(runs) * len(last) <= _ANCHOR_BRANCHES:
                runs = [run + text for run in runs for text in last]
            best = _better(best, [Anchor(run, *start) for run in runs if run])
            runs = [""]
            inner = [
                Anchor(anchor.text, anchor.low + low, anchor.high + high) for anchor in _inner(item)
            ]
            best = _better(best, inner)
        least, most = _width(item)
        low, high = low + least, high + most
    return _better(best, [Anchor(run, *start) for run in runs if run])


def _better(first: list[Anchor], second: list[Anchor]) -> list[Anchor]:
    """The longer the better; one whose place varies is tried at many places for each find."""

    def worth(anchors: list[Anchor]) -> int:
        return min(
            (len(one.text) - _VAGUE * (one.high - one.low > _NEAR) for one in anchors), default=-99
        )

    return second if worth(second) > worth(first) else first


def _fixed(item: tuple[Any, Any]) -> list[str] | None:
    """The few texts that `item` can be, in lower case, or None."""
    match item:
        case (code.LITERAL, char):
            return [chr(char).lower()]
        case (code.IN, members):
            chars: set[str] = set()
            for kind, value in members:
                if kind is code.LITERAL:
                    chars.add(chr(value).lower())
                elif kind is code.RANGE and value[1] - value[0] < _ANCHOR_BRANCHES:
                    chars.update(chr(one).lower() for one in range(value[0], value[1] + 1))
                else:
                    return None
            return sorted(chars) if len(chars) <= _ANCHOR_BRANCHES else None
        case (code.MAX_REPEAT, (least, most, inner)) if least == most and least <= 4:
            return _fixed_sequence(list(inner) * least)
        case (code.SUBPATTERN, (_, _, _, inner)):
            return _fixed_sequence(list(inner))
        case (code.BRANCH, (_, branches)):
            texts: list[str] = []
            for branch in branches:
                one = _fixed_sequence(list(branch))
                if one is None:
                    return None
                texts += one
            # Branches of unequal length would blur where the next item starts.
            equal = len({len(text) for text in texts}) == 1
            return texts if equal and len(texts) <= _ANCHOR_BRANCHES else None
    return None


def _alternatives(item: tuple[Any, Any]) -> list[str]:
    """The few texts with which `item`, a choice, can begin; none if one of them is not fixed."""
    match item:
        case (code.SUBPATTERN, (_, _, _, inner)) if len(inner) == 1:
            return _alternatives(inner[0])
        case (code.BRANCH, (_, branches)):
            texts = [_beginning(list(branch)) for branch in branches]
            return texts if all(texts) else []
    return []


def _beginning(items: list[tuple[Any, Any]]) -> str:
    """The one text that a sequence begins with."""
    begun = ""
    for item in items:
        texts = _fixed(item)
        if texts is None or len(texts) != 1:
            break
        begun += texts[0]
    return begun


def _fixed_sequence(items: list[tuple[Any, Any]]) -> list[str] | None:
    runs = [""]
    for item in items:
        texts = _fixed(item)
        if texts is None:
            return None
        runs = [run + text for run in runs for text in texts]
        if len(runs) > _ANCHOR_BRANCHES:
            return None
    return runs


def _inner(item: tuple[Any, Any]) -> list[Anchor]:
    """Anchors inside a group, a choice or a repetition that happens at least once."""
    match item:
        case (code.SUBPATTERN, (_, _, _, inner)):
            return _anchors(list(inner))
        case (code.MAX_REPEAT, (least, _, inner)) if least >= 1:
            return _anchors(list(inner))
        case (code.BRANCH, (_, branches)):
            all_of: list[Anchor] = []
            for branch in branches:
                one = _anchors(list(branch))
                if not one:
                    return []
                all_of += one
            return all_of
    return []


def _ahead(items: list[tuple[Any, Any]]) -> int:
    """The characters that look-ahead at the top of a head may read beyond it."""
    return sum(
        int(argument[1].getwidth()[1])
        for kind, argument in items
        if kind in (code.ASSERT, code.ASSERT_NOT)
    )


def _width(item: tuple[Any, Any]) -> tuple[int, int]:
    pattern = parser.SubPattern(parser.State(), [item])
    least, most = pattern.getwidth()
    return int(least), int(most)
