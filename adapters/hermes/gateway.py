"""Hermes' API server: exchanges of HTTP, and which turn each belongs to.

A turn of a surface that answers the request which starts it is named by the number of its
exchange, so that the host's signals can name it as well and the sanitizer keeps the name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from turnreel.adapters.base import AdapterInfo, Arrival, Edge, Frame
from turnreel.adapters.fields import count, damaged, text
from turnreel.lifecycle.events import Code
from turnreel.lifecycle.observations import AnyObservation, Noted
from turnreel.lifecycle.signals import CancelRequested
from turnreel.lifecycle.tables import code_of_status
from turnreel.wire.units import Json, JsonUnit, SseFraming, TextUnit, Unit

from . import turns
from .turns import Reading, Turn

VERSIONS: Final = ("0.19.0",)
"""Hermes versions whose recordings proved the dialects."""


class State(msgspec.Struct, frozen=True):
    """The open turns, by key. `asked` are the requests whose answer is due, where that has to be
    remembered: exchange to run id, or nothing where the answer gives one.
    """

    turns: dict[str, Turn] = {}
    asked: dict[int, str] = {}


Seen = tuple[State, Sequence[AnyObservation]]


class Surface(ABC):
    """A surface of the API server. A dialect says how its turns start and reads its events."""

    info: AdapterInfo

    def begin(self) -> State:
        """The state before anything arrived."""
        return State()

    def step(self, state: State, arrival: Arrival) -> Seen:
        """The state after `arrival` and what it showed. Total; the same state object if nothing
        changed.
        """
        if isinstance(arrival, Edge):
            return _edge(state, arrival)
        value = arrival.unit.value if isinstance(arrival.unit, JsonUnit) else None
        match arrival.code:
            case "request":
                return self._request(state, arrival, value)
            case "response":
                return self._response(state, arrival, value)
            case "data":
                return self._data(state, arrival)
            case _:  # how the body ended decides nothing (T3)
                return state, ()

    @abstractmethod
    def identity(self, frame: Frame) -> str | None:
        """The native identity of a frame (R2)."""

    @abstractmethod
    def starts(self, method: str, path: str) -> bool:
        """Whether a request starts a turn or listens to one."""

    def key(self, frame: Frame, path: str | None = None) -> str | None:
        """The turn that a frame belongs to; `path` is its request's where that is known."""
        return str(frame.exchange or 0)

    @abstractmethod
    def opens(self, frame: Frame, value: Json) -> bool:
        """Whether an event begins a turn that no request was seen to start."""

    @abstractmethod
    def read(self, now: Reading, unit: JsonUnit) -> None:
        """What an event of an open turn shows."""

    def _request(self, state: State, frame: Frame, value: Json) -> Seen:
        path = text(value, "path") or ""
        if not self.starts(text(value, "method") or "", path):
            return state, ()
        key = self.key(frame, path)
        if key is None or key in state.turns:
            return state, ()
        return kept(state, turns.begin(key))

    def _response(self, state: State, frame: Frame, value: Json) -> Seen:
        turn = state.turns.get(self.key(frame) or "")
        status = count(value, "status") or 0
        if turn is None or turn.awake or status < 400:
            return state, ()
        now = Reading(turn)
        turns.refuse(now, refusal(status))
        return kept(state, now)

    def _data(self, state: State, frame: Frame) -> Seen:
        unit = frame.unit
        key = self.key(frame)
        turn = state.turns.get(key or "")
        if not isinstance(unit, JsonUnit):
            if turn is not None and not turn.torn and damaged(unit):
                torn = replace(turn, torn=True)
                state = replace(state, turns={**state.turns, torn.key: torn})
            return state, _unread(unit)
        if turn is not None:
            now = Reading(turn)
        elif key is not None and self.opens(frame, unit.value):
            now = turns.begin(key)
        else:
            return state, (Noted(turn="", what="event of no open turn"),)
        self.read(now, unit)
        return kept(state, now)


def event(unit: Unit) -> str:
    """The name in the ``event`` line, or nothing."""
    framing = unit.framing
    return (framing.event or "") if isinstance(framing, SseFraming) else ""


def kept(state: State, now: Reading) -> Seen:
    """The state with what a step made of its turn."""
    before = state.turns.get(now.key)
    if now.ended:
        if before is None:
            return state, now.seen
        rest = {k: v for k, v in state.turns.items() if k != now.key}
        return replace(state, turns=rest), now.seen
    if before is now.turn:
        return state, now.seen
    return replace(state, turns={**state.turns, now.key: now.turn}), now.seen


def refusal(status: int) -> Code | None:
    """The code of a start that the server refused: its own trouble is no provider's (R9, T8)."""
    return None if status >= 500 else code_of_status(status)


def unknown(now: Reading, what: Any) -> None:
    """An event nobody described is counted."""
    word = what if isinstance(what, str) and what else "without a name"
    now.see(Noted(turn="", what=f"event {word}"[:80]))


def _edge(state: State, arrival: Edge) -> Seen:
    signal = arrival.signal
    if not isinstance(signal, CancelRequested):
        return state, ()
    marked = {
        key: replace(turn, cancelling=True)
        for key, turn in state.turns.items()
        if signal.turn in (None, key) and not turn.cancelling
    }
    return (replace(state, turns={**state.turns, **marked}) if marked else state), ()


def _unread(unit: Unit) -> Sequence[AnyObservation]:
    if isinstance(unit, TextUnit) and not damaged(unit):  # comments, keepalives, the end mark
        return ()
    return (Noted(turn="", what="unreadable event"),)
