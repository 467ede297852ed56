"""What was seen in several views of one text, as one list of spans.

Where spans of several views overlap, the order is: a rule's before an opaque run's, the deeper
view's before the shallower's, the longer before the shorter, the earlier before the later. What
of a later one sticks out is a span of its own, unless it is one match in two readings: the same
rule with the same beginning or the same end.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from .lenses import is_encoded
from .matches import Span
from .opaque import within
from .places import Place

_INSIDE_URL: Final = re.compile(r"%(?:2[145789A-Fa-f]|3[AaDd]|40|5[EeFf]|7[Ee])")
"""What percent signs encode that ends no value: no blank, quote, bracket, ``&``, ``#`` or ``;``."""


class Sighting(NamedTuple):
    """A span in places of the text as it stands, its value as `depth` decodings read it."""

    start: int
    end: int
    depth: int
    span: Span

    @property
    def rank(self) -> tuple[bool, int, int, int, str]:
        return (self.span.rule == "opaque", -self.depth, self.start - self.end, self.start,
                self.span.rule)  # fmt: skip


def merged(found: list[Sighting], text: Callable[[int, int], str]) -> list[Span]:
    """The spans of all views without overlap, in the order that the module describes. `text` is
    what stands between two places.
    """
    taken = found
    if any(one.depth for one in found):
        taken = []
        places: list[Place] = []
        for one in sorted(found, key=lambda one: one.rank):
            others = [taken[at] for at in _over(places, one)]
            if not others:
                fresh = [one]
            elif any(_is_same(one, other, text) for other in others):
                continue
            else:
                fresh = list(_leftovers(one, others, text))
            for part in fresh:
                at = bisect_left(places, part[:2])
                taken.insert(at, part)
                places.insert(at, part[:2])
    return sorted(one.span._replace(start=one.start, end=one.end) for one in taken)


def _over(places: list[Place], one: Sighting) -> Iterator[int]:
    """Which of the places, which are in order and apart, share a character with `one`."""
    for at in range(max(0, bisect_left(places, one[:2]) - 1), len(places)):
        low, high = places[at]
        if low >= one.end:
            break
        if high > one.start:
            yield at


def _is_same(one: Sighting, other: Sighting, text: Callable[[int, int], str]) -> bool:
    """Whether both are one match in two readings. It is not if it goes on in the encoded text with
    a sign that is part of a value there, as in a URL, and an end of one where it is decoded.
    """
    if one.depth == other.depth or one.span.rule != other.span.rule:
        return False
    if one.start == other.start and one.end > other.end:
        return not _INSIDE_URL.match(text(other.end, min(one.end, other.end + 3)))
    return one.start == other.start or one.end == other.end


def _leftovers(
    one: Sighting, over: list[Sighting], text: Callable[[int, int], str]
) -> Iterator[Sighting]:
    """What of `one` no other covers. A part of an opaque run counts if it is one itself, or may
    read as one; one character of anything does not.
    """
    at = one.start
    for low, high in [*sorted((other.start, other.end) for other in over), (one.end, one.end)]:
        part = text(at, low) if low > at else ""
        if len(part) > 1 and (one.span.rule != "opaque" or is_encoded(part) or any(within(part))):
            yield Sighting(at, low, one.depth, one.span._replace(value=part))
        at = max(at, high)
