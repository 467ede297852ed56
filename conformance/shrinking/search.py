"""Less of a list that is still enough: delta debugging."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def fewest(items: Sequence[T], is_enough: Callable[[Sequence[T]], bool]) -> list[T]:
    """The items of `items`, in their order, without which `is_enough` no longer holds, as far as
    taking away one run of neighbours after another finds them: halves first, then single ones,
    until no single one can go.

    `is_enough` holds for `items` itself, and is asked of shorter lists alone. Deterministic.
    """
    kept = list(items)
    size = max(1, len(kept) // 2)
    while kept:
        before = len(kept)
        end = before
        while end > 0:  # from the end: what comes later rests on what came before
            start = max(0, end - size)
            shorter = kept[:start] + kept[end:]
            if is_enough(shorter):
                kept = shorter
            end = start
        if size == 1 and len(kept) == before:
            break
        size = max(1, size // 2)
    return kept
