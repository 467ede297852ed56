"""Rows of a transcript to evidence for a completion receipt (O5).

A transcript cannot prove that a message was cut: a part that was kept is stored with the stop
reason of what came next. So only a session's very last message counts, and only if the model
stopped by itself. A row without the session's identity proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from turnreel.adapters.base import AdapterInfo, Arrival, Edge, Frame
from turnreel.adapters.fields import Fields, fields, is_true, items, text
from turnreel.adapters.working import with_entry, without
from turnreel.lifecycle.observations import AnyObservation, Receipted
from turnreel.lifecycle.signals import Unreconciled
from turnreel.wire.units import JsonUnit

SESSIONS_LIMIT: Final = 64
"""Sessions remembered, the latest: one transcript has one, with those that it was forked from."""

_ENDED: Final = frozenset({"end_turn", "stop_sequence"})

INFO: Final = AdapterInfo(
    dialect="claude-transcript",
    agent="claude",
    carrier="host",
    tier="kept",
    proven=("2.1.332",),
    limits=("begins and ends no turn", "does not tell a message that was cut from one that ended"),
)


class Last(msgspec.Struct, frozen=True):
    """The last message of a session: its id, its texts, and whether the model ended it."""

    message: str
    texts: tuple[str, ...] = ()
    ended: bool = False


class State(msgspec.Struct, frozen=True):
    """The last message of each session; none where something else came after it."""

    last: dict[str, Last] = {}


class ClaudeTranscript:
    """The adapter. It speaks when the edge asks for the last time."""

    @property
    def info(self) -> AdapterInfo:
        """The dialect's declaration."""
        return INFO

    def begin(self) -> State:
        """The state before anything arrived."""
        return State()

    def step(self, state: State, arrival: Arrival) -> tuple[State, Sequence[AnyObservation]]:
        """The state after `arrival` and what it showed. Total; the same state object if nothing
        changed.
        """
        if isinstance(arrival, Edge):
            return _asked(state) if isinstance(arrival.signal, Unreconciled) else (state, ())
        value = arrival.unit.value if isinstance(arrival.unit, JsonUnit) else None
        return (_read(state, value) if isinstance(value, dict) else state), ()

    def identity(self, frame: Frame) -> str | None:
        """A row's uuid (R2)."""
        value = frame.unit.value if isinstance(frame.unit, JsonUnit) else None
        return text(value, "uuid") if isinstance(value, dict) else None


ADAPTER: Final = ClaudeTranscript()


def _asked(state: State) -> tuple[State, Sequence[AnyObservation]]:
    """What is known of each session's end, told once."""
    told = tuple(
        Receipted(turn="", message=last.message, outcome="completed", text=answer)
        for last in state.last.values()
        if last.ended and (answer := "".join(last.texts)).strip()
    )
    return (State() if state.last else state), told


def _read(state: State, row: Fields) -> State:
    said = fields(row, "message")
    session = text(row, "sessionId")
    if row.get("type") not in ("user", "assistant") or not said or not session:
        return state
    if is_true(row, "isSidechain"):
        return state
    message = text(said, "id")
    if message is None or not _is_the_models(row, said):
        last = without(state.last, session)
        return state if last is state.last else State(last)
    before = state.last.get(session)
    texts = before.texts if before is not None and before.message == message else ()
    ended = said.get("stop_reason") in _ENDED
    last = without(state.last, session)  # the latest stands last
    last = with_entry(last, session, Last(message, texts + _texts(said), ended))
    if len(last) > SESSIONS_LIMIT:
        last = without(last, next(iter(last)))
    return State(last)


def _is_the_models(row: Fields, said: Fields) -> bool:
    return (
        row.get("type") == "assistant"
        and said.get("model") != "<synthetic>"
        and not is_true(row, "isApiErrorMessage")
        and not is_true(row, "isAbortedMidStream")
    )


def _texts(said: Fields) -> tuple[str, ...]:
    return tuple(
        found
        for block in items(said, "content")
        if text(block, "type") == "text" and (found := text(block, "text")) is not None
    )
