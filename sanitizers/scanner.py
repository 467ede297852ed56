"""Finds what must not stand in a text: secrets by rule, opaque runs, homes, addresses, known
values.

What is found depends on the text alone, never on what was seen before (S6), and on a bounded
window around each place. So a text may be decided while it is still growing: `Scanner.decide`
on its windows finds what `Scanner.spans` finds in the whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

from . import views
from .anchored import LOWER, Hit, of_known, of_rules
from .lenses import is_encoded
from .matches import (
    ALNUM,
    Candidate,
    Ends,
    Known,
    Span,
    cut_short,
    cut_value,
    home_names,
    is_private,
    known_match,
    rule_match,
    rule_matches,
)
from .placeholders import MARKER
from .places import Place, gaps, joined
from .rules import Rule
from .ruleset import RULES
from .runs import Runs
from .unanchored import unanchored
from .views import ALONE, Around

End = Literal["open", "cut", "whole"]
"""How a text ends: more follows; here, perhaps in the middle of a secret; here, as a whole."""


class Decision(NamedTuple):
    """What must be replaced up to `limit`, and whether what ends there was, or is a placeholder."""

    spans: list[Span]
    limit: int
    glued: bool


_PLAIN: Final = re.compile(r"[A-Za-z0-9 _\-]{0,13}")

_MARGIN: Final = 80
"""What addresses, markers and the end-of-text rule need beyond a rule's head."""

_RUN_CHARS: Final = ALNUM | frozenset("+/_=-.")
"""What runs are made of, and the dots between them."""


class Scanner:
    """The rules, compiled once: an Aho-Corasick automaton over all anchors, then the anchored
    expressions.

    `known` are literals of this session, `is_public` knows the dialects' public names, which
    are never opaque, and `words` are texts that anyone may know.
    """

    def __init__(
        self,
        rules: Sequence[Rule] = RULES,
        known: Iterable[Known] = (),
        is_public: Callable[[str], bool] = lambda _: False,
        words: frozenset[str] = frozenset(),
    ) -> None:
        self._runs = Runs(is_public, lambda inside: self.spans(inside, "whole"))
        self._learns = True
        self._public_words = words
        self.known = tuple(filter(self._is_private, known))
        self.words = frozenset() if self.known else words
        """Texts in which nothing is found, without a look."""
        self._anchors = of_rules(rules)
        self._literals = of_known(self.known) if self.known else None
        widths = [one.width for one in (self._anchors, self._literals) if one is not None]
        self.window = max(widths) + _MARGIN
        self.ends = self._anchors.ends

    def learn(self, text: str) -> None:
        """Whoever has a home in `text` is found by the bare name too, from now on: so this counts
        only before the first visible text is treated. What is found in one depends on the session's
        beginning, and then on nothing but the text (S6).
        """
        if not self._learns:
            return
        former = {one.value.casefold() for one in self.known}
        fresh = {one.value.casefold(): one for one in home_names(text) if self._is_private(one)}
        if names := [one for name, one in fresh.items() if name not in former]:
            self.known = (*self.known, *names)
            self._literals = of_known(self.known)

    def settle(self) -> None:
        """Nothing is learned any more: visible text is about to be treated."""
        self._learns = False

    def _is_private(self, one: Known) -> bool:
        """Whether a known value is anybody's, and no word of a protocol."""
        if one.value in self._public_words or MARKER.fullmatch(one.value):
            return False
        return is_private(one)

    def spans(self, text: str, end: End = "cut") -> list[Span]:
        """What must be replaced in all of `text`, in order and without overlap, in all its views
        (see `views`).
        """
        if text in self.words or self._is_plain(text):
            return []
        if is_encoded(text):
            return views.spans(self, text, end)
        return self.decide(text, 0, False, end).spans

    def _is_plain(self, text: str) -> bool:
        """Whether nothing can be found in a short text: it holds no anchor, address or run."""
        return (
            _PLAIN.fullmatch(text) is not None
            and not self._anchors.find(lower := text.lower())
            and not (self._literals and self._literals.find(lower))
        )

    def decide(self, text: str, start: int, glued: bool, end: End) -> Decision:
        """What must be replaced in `text[start:]`, as it stands, as far as that is settled.

        `text[:start]` was decided before and serves as context; `glued` is what the decision about
        it said. All is settled unless the text is open.
        """
        return self.look(text, start, glued, end)[0]

    def look(
        self,
        text: str,
        start: int,
        glued: bool,
        end: End,
        around: Around = ALONE,
    ) -> tuple[Decision, list[Place]]:
        """The same, knowing what is `around`; and where placeholders stand in `text[start:]`."""
        limit = len(text)
        if end == "open":
            limit = min(limit - self.window, around.limit)
        if limit <= start:
            return Decision([], start, glued), []
        markers, candidates = self._candidates(text, start, end, around.walls)
        for one in around.more(text, start):
            for low, high in gaps(one.start, one.end, markers):
                candidates.append(one._replace(value=low, end=high, start=low, reach=high))
        if end == "open":
            limit = _unsplit(text, limit, start, candidates, markers)
            if limit == start:
                return Decision([], start, glued), markers
        ends = {start if glued else 0, *around.ends, *(end for _, end in markers)}
        while True:
            spans = _resolve(text, candidates, ends) if candidates else []
            spans += self._runs.beside(
                text, start, limit, [*markers, *(span[:2] for span in spans)]
            )
            fresh = {span.end for span in spans} - ends
            ends |= fresh
            if not any(one.start in fresh and one.bounded for one in candidates):
                break
        settled = sorted(span for span in spans if span.end <= limit)
        return Decision(settled, limit, limit in ends), markers

    def _candidates(
        self, text: str, start: int, end: End, walls: Sequence[Place]
    ) -> tuple[list[Place], list[Candidate]]:
        lower = text.lower() if text.isascii() else text.translate(LOWER)
        hits = self._anchors.find(lower, overlapping=True)
        markers = self._markers(text, hits, start) if hits else []
        if walls:
            markers = joined([*markers, *walls])
        known = self._known_in(text, lower, start) if self._literals else []
        found = [*known, *unanchored(text, start, markers)]
        if hits:
            found += self._by_rule(text, hits, start, markers, {one.value for one in known})
            if end == "cut":
                found += self._cut(text, hits, start, markers)
        return markers, found

    def _by_rule(
        self, text: str, hits: list[Hit], start: int, markers: list[Place], names: set[int]
    ) -> Iterator[Candidate]:
        """The matches of rules; `names` are places where known values begin."""
        entries = self._anchors.entries
        ends = Ends(text)
        tried: dict[tuple[int, str, int], int] = {}  # up to where, if an anchor's place varies
        for number, at, _ in hits:
            for source, low, high in entries[number]:
                if type(source) is not Rule:
                    continue
                first, last = max(start, at - high), at - low
                if first == last:
                    one = rule_match(source, text, first, markers, ends)
                    if one is not None and not (source.yields and one.value in names):
                        yield one
                else:
                    anchor = number, source.name, high
                    first = max(first, tried.get(anchor, 0))
                    tried[anchor] = last + 1
                    for one in rule_matches(source, text, first, last, markers, ends):
                        if not (source.yields and one.value in names):
                            yield one

    def _cut(
        self, text: str, hits: list[Hit], start: int, markers: list[Place]
    ) -> Iterator[Candidate]:
        """What the end of the text cut short behind the last marker."""
        begin = max(start, len(text) - self._anchors.width)
        last = markers[-1][1] if markers else start
        for number, at, _ in hits:
            for source, low, high in self._anchors.entries[number] if at >= begin else ():
                if type(source) is not Rule:
                    continue
                if low == high == 0 and at >= last:
                    yield from cut_short(source, text, at, self._anchors.lengths[number])
                if source.has_context:
                    yield from cut_value(source, text, max(last, at - high), at - low)

    def _known_in(self, text: str, lower: str, start: int) -> list[Candidate]:
        assert self._literals is not None, "something is known"
        found: list[Candidate] = []
        for number, at, _ in self._literals.find(lower, overlapping=True):
            for source, _, _ in self._literals.entries[number]:
                if type(source) is Known and at >= start:
                    found += known_match(source, text, at)
        return found

    def _markers(self, text: str, hits: list[Hit], start: int) -> list[Place]:
        places: list[Place] = []
        after = start
        for number, at, _ in sorted(hits, key=lambda hit: hit[1]):
            if at >= after and self._anchors.entries[number][-1][0] is None:
                match = MARKER.match(text, at)
                if match:
                    places.append(match.span())
                    after = match.end()
        return places


def _resolve(text: str, candidates: list[Candidate], ends: set[int]) -> list[Span]:
    """The spans of the candidates that count, without overlap: what sticks out of an earlier one is
    a span of its own, so nothing survives. A boundary is one before a letter or digit, or where
    something replaced ended, so that a secret glued to another is found.
    """
    spans: list[Span] = []
    known = ends | {0}
    at = 0
    for one in sorted(set(candidates), key=lambda one: (one.value, -one.end, one.start, one.rule)):
        if one.bounded and one.start not in known and text[one.start - 1] in ALNUM:
            continue
        known.add(one.end)
        begin = max(at, one.value)
        if begin < one.end:
            whole = one.canonical if begin == one.value else ""
            spans.append(Span(begin, one.end, one.kind, one.rule, whole))
            at = one.end
    return spans


def _unsplit(
    text: str,
    limit: int,
    start: int,
    candidates: list[Candidate],
    markers: list[Place],
) -> int:
    """The last place not after `limit` that splits neither a match, a marker nor a run."""
    crossings = [(one.start, one.reach) for one in candidates] + markers
    moved = True
    while moved and limit > start:
        moved = False
        for low, high in crossings:
            if low < limit < high:
                limit, moved = low, True
        while limit > start and text[limit - 1] in _RUN_CHARS and text[limit] in _RUN_CHARS:
            limit, moved = limit - 1, True
    return max(limit, start)
