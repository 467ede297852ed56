"""What an agent keeps of its sessions on the disk of its user, as an adapter (O5).

No stream: rows are written late, patched and forked, so they begin and end no turn. They are heard,
and spoken of once, when the edge asks for the last time how turns ended.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

import msgspec

from turnreel.lifecycle.observations import AnyObservation, Receipted
from turnreel.lifecycle.signals import Unreconciled
from turnreel.wire.units import JsonUnit

from .base import AdapterInfo, Arrival, Frame
from .fields import Fields
from .working import with_entry, without

REMEMBERED: Final = 64
"""Sessions or turns remembered, the latest: one file has a few."""

S = TypeVar("S", bound=msgspec.Struct)
V = TypeVar("V")


class Kept(Generic[S]):
    """The adapter of such rows. `nothing` is the state before any; `read` gives it after a row, the
    same object if that changed nothing; `known` what there is to say of it; `named` a row's
    identity, if rows have one (R2). All are total.
    """

    def __init__(
        self,
        info: AdapterInfo,
        nothing: S,
        *,
        read: Callable[[S, Fields], S],
        known: Callable[[S], Sequence[Receipted]],
        named: Callable[[Fields], str | None],
    ) -> None:
        self._info = info
        self._nothing = nothing
        self._read = read
        self._known = known
        self._named = named

    @property
    def info(self) -> AdapterInfo:
        """The dialect's declaration."""
        return self._info

    def begin(self) -> S:
        """The state before anything arrived."""
        return self._nothing

    def step(self, state: S, arrival: Arrival) -> tuple[S, Sequence[AnyObservation]]:
        """The state after `arrival` and what it showed: all that is known, told once, when the edge
        asks. Total; the same state object if nothing changed.
        """
        if isinstance(arrival, Frame):
            row = _row(arrival)
            return (state if row is None else self._read(state, row)), ()
        if not isinstance(arrival.signal, Unreconciled) or state == self._nothing:
            return state, ()
        return self._nothing, self._known(state)

    def identity(self, frame: Frame) -> str | None:
        """A row's identity, or None (R2)."""
        row = _row(frame)
        return None if row is None else self._named(row)


def with_latest(entries: dict[str, V], name: str, value: V) -> dict[str, V]:
    """`entries` with that one as the last, and no more than are remembered; a new dictionary."""
    latest = with_entry(without(entries, name), name, value)
    return latest if len(latest) <= REMEMBERED else without(latest, next(iter(latest)))


def _row(frame: Frame) -> Fields | None:
    value = frame.unit.value if isinstance(frame.unit, JsonUnit) else None
    return value if isinstance(value, dict) else None
