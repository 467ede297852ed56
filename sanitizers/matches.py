"""Matches: what a rule or a known value looks like at one place of a text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from .places import Place
from .rules import Rule


class Span(NamedTuple):
    """`text[start:end]` must be replaced by a placeholder of `kind`, because of `rule`."""

    start: int
    end: int
    kind: str
    rule: str
    value: str = ""
    """The value whose placeholder it gets, if that is not the text of the span itself."""


class Known(msgspec.Struct, frozen=True):
    """A literal that must never land because the caller knows it to be private: an
    environment's secret (kind ``key``), the ``user``, the ``host``, the ``home`` folder.
    """

    kind: str
    value: str
    canonical: str = ""
    """The value that `value` is a form of; the same placeholder stands for all its forms."""


class Candidate(NamedTuple):
    """A match: its value is `text[value:end]`, its context begins at `start`, and it looked as far
    as `reach`. `bounded` matches need a boundary before them.
    """

    value: int
    end: int
    start: int
    reach: int
    bounded: bool
    kind: str
    rule: str
    canonical: str = ""


_GENERIC: Final = """
root user users admin ubuntu runner home localhost nobody debian docker node app apps dev test tests
work workspace vscode coder agent agents build builder ci git guest public shared default data www
src project projects me you name username
"""
GENERIC_NAMES: Final = frozenset(_GENERIC.split())
"""User and host names too common to be anybody's."""


_WORDS: Final = frozenset({"user", "host"})
"""Kinds of known values that count as whole words only."""


_LEAST_ANCHOR: Final = 3
"""Shorter anchors stand at the end of too many ordinary texts."""


_PORT: Final = re.compile(r":[0-9]{2,5}\Z")


_HOME: Final = re.compile(
    r"(?:/home/|/Users/|\\home\\|[A-Za-z]:[\\/]{1,4}(?i:users)[\\/]{1,4})([\w.\-]{3,32})"
)
_NO_SLUG: Final = re.compile(r"[^A-Za-z0-9]")


ALNUM: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")


def is_private(one: Known) -> bool:
    if one.kind in _WORDS:
        return len(one.value) >= 3 and one.value.lower() not in GENERIC_NAMES
    return len(one.value) >= 6


def home_names(text: str) -> Iterator[Known]:
    """Whose homes stand in `text`."""
    for found in _HOME.findall(text):
        name = found.rstrip(".")
        yield Known("user", name)
        if slug(name) != name:
            yield Known("user", slug(name), name)


def slug(path: str) -> str:
    """The name that agents make of a path for a folder of their own."""
    return _NO_SLUG.sub("-", path)


class Ends:
    """How far what follows a head goes, in one text. A head inside the tail or block of another of
    its rule ends where that one does: so a text full of heads is read once.
    """

    __slots__ = ("_last", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._last: dict[str, tuple[int, int, int, int]] = {}

    def of(self, rule: Rule, place: int, limit: int) -> int:
        """Where the match of `rule` ends whose head ends at `place`, not after `limit`."""
        if rule.rest is None:
            return place
        first, last, end, most = self._last.get(rule.name, (0, -1, 0, 0))
        if not first <= place <= last or most != limit:
            found = rule.rest.search(self._text, place, limit)
            last, end = found.span() if found else (limit, limit)
            if rule.tail:
                last = end
            self._last[rule.name] = place, last, end, limit
        return end


def rule_match(
    rule: Rule, text: str, place: int, markers: Sequence[Place], ends: Ends
) -> Candidate | None:
    """The match of `rule` that begins at `place`, up to the next marker at most."""
    end = len(text)
    if markers:
        after = bisect_right(markers, (place, end))
        if after and markers[after - 1][1] > place:
            return None
        if after < len(markers):
            end = markers[after][0]
    match = rule.start.match(text, place, end)
    if match is None or (rule.opens and place and text[place - 1] != "\n"):
        return None
    value = match.start("v") if rule.has_context else place
    stop = reach = ends.of(rule, match.end(), end)
    while rule.tail and stop > value and text[stop - 1] in ".,":
        stop -= 1
    return Candidate(value, stop, place, reach, rule.boundary, rule.kind, rule.name)


def rule_matches(
    rule: Rule, text: str, first: int, last: int, markers: Sequence[Place], ends: Ends
) -> Iterator[Candidate]:
    """The matches of `rule` that begin between `first` and `last`."""
    search = rule.start.search
    end = last + rule.width + 1
    while first <= last and (head := search(text, first, end)) and head.start() <= last:
        first = head.start() + 1
        if found := rule_match(rule, text, head.start(), markers, ends):
            yield found


def cut_short(rule: Rule, text: str, at: int, anchor: int) -> Iterator[Candidate]:
    """The end-of-text rule: an anchor and what may follow it, cut before the head was complete."""
    if len(text) - at > rule.width or anchor < _LEAST_ANCHOR or rule.has_context:
        return
    if rule.cut_tail.match(text, at + anchor):
        end = at + len(text[at:].rstrip())
        yield Candidate(at, end, at, end, rule.boundary, rule.kind, rule.name)


def cut_value(rule: Rule, text: str, first: int, last: int) -> Iterator[Candidate]:
    """The same for a rule with context that begins between `first` and `last`: all of the context,
    and a value cut before it was complete. A few characters, or figures alone, are none.
    """
    if len(text) - last > rule.width or (pattern := rule.cut_value) is None:
        return
    while first <= last and (match := pattern.search(text, first)) and match.start() <= last:
        first, end = match.start() + 1, match.end("v")
        if any(map(str.isalpha, match["v"])) and not _PORT.search(match["v"]):
            yield Candidate(
                match.start("v"), end, match.start(), end, rule.boundary, rule.kind, rule.name
            )


def known_match(known: Known, text: str, at: int) -> Iterator[Candidate]:
    end = at + len(known.value)
    if known.kind in _WORDS:
        if (at and text[at - 1] in ALNUM) or (end < len(text) and text[end] in ALNUM):
            return
    elif text[at:end] != known.value:
        return
    yield Candidate(at, end, at, end, False, known.kind, f"known-{known.kind}", known.canonical)
