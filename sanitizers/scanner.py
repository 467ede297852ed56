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

import msgspec

from .opaque import RUN, within
from .placeholders import ID_PREFIX, MARKER, MARKER_ANCHORS, UUID
from .rules import Rule
from .ruleset import RULES

End = Literal["open", "cut", "whole"]
"""How a text ends: more follows; here, perhaps in the middle of a secret; here, as a whole."""


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


class Decision(NamedTuple):
    """What must be replaced up to `limit`, and whether what ends there was, or is a placeholder."""

    spans: list[Span]
    limit: int
    glued: bool


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


GENERIC_NAMES: Final = frozenset(
    {"root", "user", "admin", "ubuntu", "runner", "home", "localhost", "nobody", "debian", "docker"}
)
"""User and host names too common to be anybody's."""

_WORDS: Final = frozenset({"user", "host"})
"""Kinds of known values that count as whole words only."""

_ADDRESSES: Final = (
    ("ipv4", re.compile(r"(?<![0-9A-Za-z.])(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?![0-9A-Za-z]|\.[0-9])")),
    ("ipv6", re.compile(
        r"(?<![0-9A-Za-z:.])(?=[0-9A-Fa-f:]{0,12}[0-9])"
        r"(?:[0-9A-Fa-f]{1,4}:){3,7}(?::|[0-9A-Fa-f]{1,4})[0-9A-Fa-f:]{0,30}(?![0-9A-Za-z:])")),
)  # fmt: skip
_PUBLIC_ADDRESS: Final = re.compile(
    r"127\.|0\.0\.0\.0\Z|255\.|.*[3-9][0-9]{2}|.*2[6-9][0-9]|.*25[6-9]"
)
"""Loopback and masks, and what is no address at all."""

_LOWER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_LEAST_ANCHOR: Final = 3
"""Shorter anchors stand at the end of too many ordinary texts."""

_MARGIN: Final = 80
"""What addresses, markers and the end-of-text rule need beyond a rule's head."""

_ALNUM: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
_RUN_CHARS: Final = _ALNUM | frozenset("+/_=-")


class Scanner:
    """The rules, compiled once: an Aho-Corasick automaton over all anchors, then the anchored
    expressions.

    `known` are literals of this session, `is_public` knows the dialects' public names, which
    are never opaque.
    """

    def __init__(
        self,
        rules: Sequence[Rule] = RULES,
        known: Iterable[Known] = (),
        is_public: Callable[[str], bool] = lambda _: False,
    ) -> None:
        from ahocorasick_rs import AhoCorasick

        self._is_public = is_public
        self.known = tuple(filter(_is_private, known))
        longest = max((len(one.value) for one in self.known), default=0)
        self.window = max([longest, *(rule.width for rule in rules)]) + _MARGIN
        entries: dict[str, list[tuple[Rule | Known | None, int, int]]] = {}
        for rule in rules:
            for anchor in rule.anchors:
                entries.setdefault(anchor.text, []).append((rule, anchor.low, anchor.high))
        for one in self.known:
            entries.setdefault(one.value.translate(_LOWER), []).append((one, 0, 0))
        for anchor_text in MARKER_ANCHORS:
            entries.setdefault(anchor_text, []).append((None, 0, 0))
        self._anchors = list(entries)
        self._entries = list(entries.values())
        self._find = AhoCorasick(self._anchors).find_matches_as_indexes

    def spans(self, text: str, end: End = "cut") -> list[Span]:
        """What must be replaced in all of `text`, in order and without overlap."""
        return self.decide(text, 0, False, end).spans

    def decide(self, text: str, start: int, glued: bool, end: End) -> Decision:
        """What must be replaced in `text[start:]` as far as that is settled.

        `text[:start]` was decided before and serves as context; `glued` is what the decision about
        it said. All is settled unless the text is open.
        """
        limit = len(text) - self.window if end == "open" else len(text)
        if limit <= start:
            return Decision([], start, glued)
        markers, candidates = self._candidates(text, start, end)
        if end == "open":
            limit = _unsplit(text, limit, start, candidates, markers)
            if limit == start:
                return Decision([], start, glued)
        ends = {start if glued else 0, *(end for _, end in markers)}
        while True:
            spans = _resolve(text, candidates, ends) if candidates else []
            spans += self._runs(text, start, limit, spans, markers)
            fresh = {span.end for span in spans} - ends
            ends |= fresh
            if not any(one.start in fresh and one.bounded for one in candidates):
                break
        return Decision(sorted(s for s in spans if s.end <= limit), limit, limit in ends)

    def _candidates(
        self, text: str, start: int, end: End
    ) -> tuple[list[tuple[int, int]], list[Candidate]]:
        lower = text.lower() if text.isascii() else text.translate(_LOWER)
        hits = self._find(lower, overlapping=True)
        markers = self._markers(text, hits, start) if hits else []
        found: list[Candidate] = []
        last = markers[-1][1] if markers else start
        for number, at, _ in hits:
            for source, low, high in self._entries[number]:
                if type(source) is Rule:
                    for place in range(max(start, at - high), at - low + 1):
                        found += _rule_match(source, text, place, markers)
                    if end == "cut" and low == high == 0 and at >= last:
                        found += _cut_short(source, text, at, len(self._anchors[number]))
                elif type(source) is Known and at >= start:
                    found += _known_match(source, text, at)
        found += _addresses(text, start, markers)
        return markers, found

    def _markers(
        self, text: str, hits: list[tuple[int, int, int]], start: int
    ) -> list[tuple[int, int]]:
        places: list[tuple[int, int]] = []
        after = 0
        for number, at, _ in sorted(hits, key=lambda hit: hit[1]):
            if at >= start and at >= after and self._entries[number][-1][0] is None:
                match = MARKER.match(text, at)
                if match:
                    places.append(match.span())
                    after = match.end()
        return places

    def _runs(
        self,
        text: str,
        start: int,
        limit: int,
        spans: list[Span],
        markers: list[tuple[int, int]],
    ) -> list[Span]:
        found: list[Span] = []
        taken = sorted([(span.start, span.end) for span in spans] + markers)
        ends = {end for _, end in taken}
        for run in RUN.finditer(text, start, limit):
            if self._is_public(run[0]):
                continue
            for low, high in _gaps(run.start(), run.end(), taken):
                for first, last in within(text[low:high]):
                    span = Span(low + first, low + last, "key", "opaque")
                    if span.start not in ends and _is_id(text[span.start : span.end]):
                        span = span._replace(kind="id")
                    found.append(span)
                    ends.add(span.end)
        return found


def _is_id(value: str) -> bool:
    """Whether a run keeps its form when it is replaced, as it does where the policy knows it.
    Behind another placeholder it does not: its digits would read as that one's.
    """
    return bool(ID_PREFIX.match(value) or UUID.fullmatch(value))


def _is_private(one: Known) -> bool:
    if one.kind in _WORDS:
        return len(one.value) >= 3 and one.value.lower() not in GENERIC_NAMES
    return len(one.value) >= 6


def _rule_match(
    rule: Rule, text: str, place: int, markers: list[tuple[int, int]]
) -> Iterator[Candidate]:
    if _inside(markers, place):
        return
    end = next((low for low, _ in markers if low > place), len(text))
    match = rule.pattern.match(text, place, end)
    if match is None:
        return
    value = match.start("v") if rule.has_context else match.start()
    stop = match.end()
    while stop > value and text[stop - 1] in ".,":
        stop -= 1
    yield Candidate(value, stop, place, match.end(), rule.boundary, rule.kind, rule.name)


def _inside(markers: list[tuple[int, int]], place: int) -> bool:
    return any(low <= place < high for low, high in markers)


def _cut_short(rule: Rule, text: str, at: int, anchor: int) -> Iterator[Candidate]:
    """The end-of-text rule: an anchor and what may follow it, cut before the head was complete."""
    if len(text) - at > rule.width or anchor < _LEAST_ANCHOR or rule.has_context:
        return
    if rule.cut_tail.match(text, at + anchor):
        end = at + len(text[at:].rstrip())
        yield Candidate(at, end, at, end, rule.boundary, rule.kind, rule.name)


def _known_match(known: Known, text: str, at: int) -> Iterator[Candidate]:
    end = at + len(known.value)
    if known.kind in _WORDS:
        if (at and text[at - 1] in _ALNUM) or (end < len(text) and text[end] in _ALNUM):
            return
    elif text[at:end] != known.value:
        return
    yield Candidate(at, end, at, end, False, known.kind, f"known-{known.kind}", known.canonical)


def _addresses(text: str, start: int, markers: list[tuple[int, int]]) -> Iterator[Candidate]:
    for separator, (name, pattern) in zip(".:", _ADDRESSES, strict=True):
        if text.count(separator) < 3:
            continue
        for match in pattern.finditer(text, start):
            low, high = match.span()
            if name == "ipv4" and _PUBLIC_ADDRESS.match(match[0]):
                continue
            if not any(begin < high and low < end for begin, end in markers):
                yield Candidate(low, high, low, high, False, "ip", name)


def _resolve(text: str, candidates: list[Candidate], ends: set[int]) -> list[Span]:
    """The spans of the candidates that count, without overlap: what sticks out of an earlier one is
    a span of its own, so nothing survives. A boundary is one before a letter or digit, or where
    something replaced ended, so that a secret glued to another is found.
    """
    spans: list[Span] = []
    known = ends | {0}
    at = 0
    for one in sorted(set(candidates), key=lambda one: (one.value, -one.end, one.start, one.rule)):
        if one.bounded and one.start not in known and text[one.start - 1] in _ALNUM:
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
    markers: list[tuple[int, int]],
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


def _gaps(start: int, end: int, taken: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for low, high in taken:
        if high <= start:
            continue
        if low >= end:
            break
        if low > start:
            yield start, low
        start = max(start, high)
    if start < end:
        yield start, end
