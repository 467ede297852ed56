"""An agent behind pipes: which of its lines an adapter is given, and what else reaches it.

A dialect reads objects that the agent prints, what its host writes, the end of the host's input,
and what the edge knows. Lines that are no objects are counted; stderr is prose.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from turnreel.lifecycle.observations import AnyObservation, Noted
from turnreel.lifecycle.signals import AnySignal
from turnreel.wire.units import Json, JsonUnit, Unit

from .base import AdapterInfo, Arrival, Edge, Frame
from .fields import Fields
from .working import S, Working

N = TypeVar("N", bound=Working[Any])


class Stdio(ABC, Generic[S, N]):
    """An adapter whose state is an `S` and which works on it as an `N`; it keeps nothing itself."""

    info: AdapterInfo

    @abstractmethod
    def begin(self) -> S:
        """The state before anything arrived."""

    @abstractmethod
    def working(self, state: S) -> N:
        """The working copy of one step."""

    def step(self, state: S, arrival: Arrival) -> tuple[S, Sequence[AnyObservation]]:
        """The state after `arrival` and what it showed. Total; the same state object if nothing
        changed.
        """
        now = self.working(state)
        if isinstance(arrival, Edge):
            self.edge(now, arrival.signal)
            return now.state, now.seen
        unit = arrival.unit
        value: Json = unit.value if isinstance(unit, JsonUnit) else None
        match arrival.code:
            case "out" if isinstance(value, dict):
                self.printed(now, value)
            case "out":
                now.see(Noted(turn="", what="unreadable line"))
                self.unread(now, unit)
            case "in":
                self.written(now, value)
            case "eof":
                self.hung_up(now)
            case _:
                pass
        return now.state, now.seen

    @abstractmethod
    def identity(self, frame: Frame) -> str | None:
        """The native identity of a frame (R2)."""

    @abstractmethod
    def printed(self, now: N, value: Fields) -> None:
        """The agent printed an object."""

    @abstractmethod
    def written(self, now: N, value: Json) -> None:
        """The host wrote a line; None for one that is no JSON."""

    def unread(self, now: N, unit: Unit) -> None:
        """The agent printed what is no object; it has been counted."""

    def hung_up(self, now: N) -> None:
        """The host closed the agent's input."""

    def edge(self, now: N, signal: AnySignal) -> None:
        """The edge knows something."""
