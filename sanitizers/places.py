"""Places in a text, from where to where, and what lies between them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

Place = tuple[int, int]
"""Where something begins and ends."""


def joined(places: list[Place]) -> list[Place]:
    """The same places in order, those that overlap as one."""
    joined: list[Place] = []
    for low, high in sorted(places):
        if joined and low < joined[-1][1]:
            joined[-1] = joined[-1][0], max(high, joined[-1][1])
        else:
            joined.append((low, high))
    return joined


def over(taken: Sequence[Place], start: int, end: int) -> Iterator[Place]:
    """Those of `taken`, which are in order and apart, that share a character with a place."""
    for at in range(max(0, bisect_left(taken, (start,)) - 1), len(taken)):
        low, high = taken[at][0], taken[at][1]
        if low >= end:
            break
        if high > start:
            yield low, high


def gaps(start: int, end: int, taken: Sequence[Place]) -> Iterator[tuple[int, int]]:
    """What of a place none of `taken` covers; they are in order and apart."""
    for low, high in over(taken, start, end):
        if low > start:
            yield start, low
        start = max(start, high)
    if start < end:
        yield start, end
