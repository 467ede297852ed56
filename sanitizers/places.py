"""Places in a text, from where to where, and what lies between them."""

from __future__ import annotations

from collections.abc import Iterator

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


def gaps(start: int, end: int, taken: list[Place]) -> Iterator[tuple[int, int]]:
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
