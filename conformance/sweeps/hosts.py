"""What the host had done by each place of a recording."""

from __future__ import annotations

from collections.abc import Iterable

from turnreel.adapters.base import Arrival, Edge
from turnreel.conformance.watching import Native
from turnreel.lifecycle.observations import CancelAsked
from turnreel.lifecycle.signals import CancelRequested, Exited

_NEVER = 1 << 62


class Host:
    """When the host first asked to cancel, on the edge or on the dialect's own input, and when the
    agent's process was seen to crash; and when something was heard of what the agent keeps, which
    is as good as a receipt. A place is before the arrival of its number. `kept` are the tracks of
    what agents keep.
    """

    def __init__(
        self, arrivals: Iterable[Arrival], native: Native, kept: frozenset[str] = frozenset()
    ) -> None:
        self._told = _NEVER
        self._cancelled = _NEVER
        self._crashed = _NEVER
        for place, arrival in enumerate(arrivals, 1):
            if arrival.track in kept:
                self._told = min(self._told, place)
            signal = arrival.signal if isinstance(arrival, Edge) else None
            seen = native.observed.get(arrival.number, ())
            if isinstance(signal, CancelRequested) or any(isinstance(s, CancelAsked) for s in seen):
                self._cancelled = min(self._cancelled, place)
            if isinstance(signal, Exited) and (signal.killed_by or signal.code):
                self._crashed = min(self._crashed, place)

    def has_cancelled(self, place: int) -> bool:
        """Whether the host had asked to cancel any run."""
        return place >= self._cancelled

    def has_receipt(self, place: int) -> bool:
        """Whether a run may be settled by what was kept of it."""
        return place >= self._told

    def has_crashed(self, place: int) -> bool:
        """Whether the process had ended otherwise than by itself with 0."""
        return place >= self._crashed
