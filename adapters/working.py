"""The working copy of one step of an adapter, for dialects whose step is too large for one page."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from turnreel.lifecycle.observations import AnyObservation

S = TypeVar("S", bound=msgspec.Struct)
K = TypeVar("K")
V = TypeVar("V")


class Working(Generic[S]):
    """The state so far and what was seen so far. The state is replaced, never changed: as long as
    nothing was set it is the very object the step began with.
    """

    __slots__ = ("seen", "state")

    def __init__(self, state: S) -> None:
        self.state = state
        self.seen: list[AnyObservation] = []

    def see(self, *observations: AnyObservation) -> None:
        """Append observations, in order."""
        self.seen.extend(observations)

    def set(self, **changes: Any) -> None:
        """Change fields of the state's copy."""
        self.state = replace(self.state, **changes)


def with_entry(entries: dict[K, V], key: K, value: V) -> dict[K, V]:
    """`entries` with one more or another entry; a new dictionary."""
    return {**entries, key: value}


def without(entries: dict[K, V], key: K) -> dict[K, V]:
    """`entries` without `key`; the same dictionary if it is not there."""
    if key not in entries:
        return entries
    return {k: v for k, v in entries.items() if k != key}
