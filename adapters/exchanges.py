"""A provider over HTTP whose answers come one a request: which of them are on their way, and what
their ends say (O4).

Trouble is what loses model output: an error or an end in the middle of an answer. An answer that
was all there and merely not closed lost nothing and is noted. An error status names no message: it
can be attributed to no run and is noted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from turnreel.lifecycle.events import Code
from turnreel.lifecycle.observations import AnyObservation, Noted, Troubled
from turnreel.wire.units import JsonUnit, Unit

from .base import AdapterInfo, Arrival, Edge, Frame
from .fields import count, text


class Exchange(msgspec.Struct, frozen=True):
    """An answer on its way. `complete` says that all content came, `closed` that the provider said
    so, `failed` that it said that it failed.
    """

    message: str | None = None
    complete: bool = False
    closed: bool = False
    failed: bool = False


class State(msgspec.Struct, frozen=True):
    """The answers on their way, by the number of their exchange."""

    exchanges: dict[int, Exchange] = {}


Seen = tuple[State, Sequence[AnyObservation]]
Heard = tuple[Exchange, Sequence[AnyObservation]]
FRESH = Exchange()


class Exchanges(ABC):
    """A provider's adapter. A dialect reads the events of one answer."""

    info: AdapterInfo

    def begin(self) -> State:
        """The state before anything arrived."""
        return State()

    def step(self, state: State, arrival: Arrival) -> Seen:
        """The state after `arrival` and what it showed. Total; the same state object if nothing
        changed.
        """
        if isinstance(arrival, Edge):
            return state, ()
        value = arrival.unit.value if isinstance(arrival.unit, JsonUnit) else None
        number = arrival.exchange or 0
        match arrival.code:
            case "data":
                known = state.exchanges.get(number, FRESH)
                now, seen = self.read(known, arrival.unit)
                return (state if now == known else _with(state, number, now)), seen
            case "response":
                status = count(value, "status") or 0
                return state, noted(f"provider status {status}") if status >= 400 else ()
            case "end":
                return _over(state, number, by="provider")
            case "cut":
                return _over(state, number, by=text(value, "by") or "unknown")
            case _:
                return state, ()

    def identity(self, frame: Frame) -> str | None:
        """None: the events of an answer have no identity of their own (R2)."""
        return None

    @abstractmethod
    def read(self, known: Exchange, unit: Unit) -> Heard:
        """The answer after an event, and what that showed."""


def failed(known: Exchange, code: Code) -> Heard:
    """The provider says in the middle of an answer that it failed."""
    now = replace(known, failed=True)
    if known.message is None or known.complete:
        return now, noted(f"provider error {code}")
    return now, (Troubled(turn="", code=code, message=known.message),)


def noted(what: str) -> Sequence[AnyObservation]:
    """Something to be counted, and nothing else."""
    return (Noted(turn="", what=what),)


def _over(state: State, number: int, by: str) -> Seen:
    """The answer's bytes ended. Cut by its reader it shows no trouble of the provider: the agent
    cancelled, or tells itself why it gave up.
    """
    known = state.exchanges.get(number)
    if known is None:
        return state, ()
    rest = State({n: e for n, e in state.exchanges.items() if n != number})
    if known.closed or known.failed:
        return rest, ()
    if known.complete:
        return rest, noted("answer not closed")
    if by == "client":
        return rest, noted("answer given up by its reader")
    if known.message is None:
        return rest, ()
    return rest, (Troubled(turn="", code="provider_unavailable", message=known.message),)


def _with(state: State, number: int, exchange: Exchange) -> State:
    return State({**state.exchanges, number: exchange})
