"""Native identities that were met before, so that a repeated delivery changes nothing (R2)."""

from __future__ import annotations

from typing import Final

LIMIT: Final = 1 << 16
"""Identities remembered at least; at most twice as many are. A frame that comes again after so many
others, under a new record number, counts as new: no reconnect reaches back that far."""

Key = tuple[str, str, str]
"""Track, code and native identity of a frame."""


class Seen:
    """Identities with the record number they first came under. Bounded: of two generations the
    older is forgotten when the younger is full.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._young: dict[Key, int] = {}
        self._old: dict[Key, int] = {}
        self._shared: tuple[tuple[dict[Key, int], int], ...] = ()

    def again(self, key: Key, number: int) -> bool:
        """Whether `key` was met before; it is remembered under `number` if not."""
        if key in self._young or key in self._old:
            return True
        if any(known.get(key, upto + 1) <= upto for known, upto in self._shared):
            return True
        if len(self._young) == self._limit:
            self._young, self._old = {}, self._young
        self._young[key] = number
        return False

    def branch(self, upto: int) -> Seen:
        """What was known up to record `upto`, going on by itself. Costs nothing: the past is
        shared, and what this one meets later is told apart by its number.
        """
        other = Seen(self._limit)
        other._shared = (*self._shared, (self._young, upto), (self._old, upto))
        return other
