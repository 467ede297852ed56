"""The Chat Completions API to observations: which answer was struck by which trouble (O4).

Trouble is what loses model output: an error or an end in the middle of an answer. An answer that
was all there and merely not closed lost nothing and is noted. An error status names no answer: it
can be attributed to no run and is noted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

import msgspec
from msgspec.structs import replace

from turnreel.adapters.base import AdapterInfo, Arrival, Edge, Frame
from turnreel.adapters.fields import count, text
from turnreel.lifecycle.events import Code
from turnreel.lifecycle.observations import AnyObservation, Noted, Troubled
from turnreel.wire.units import Json, JsonUnit, TextUnit

from .frames import DONE, Chunk, Failed, Known, Unknown, Whole, read

INFO: Final = AdapterInfo(
    dialect="openai-chat",
    agent="",
    carrier="http",
    tier="provider",
    proven=("hermes 0.19.0",),
    boundary_evidence=("a chunk with a finish_reason", "[DONE]"),
    limits=(
        "an answer whose id the agent does not pass on belongs to no run",
        "an error status belongs to no run",
    ),
)

ERRORS: Final[dict[str, Code]] = {
    "rate_limit_exceeded": "rate_limited",
    "rate_limit_error": "rate_limited",
    "insufficient_quota": "quota",
    "invalid_api_key": "auth",
    "authentication_error": "auth",
    "model_not_found": "not_found",
    "context_length_exceeded": "context_exhausted",
    "invalid_request_error": "bad_request",
    "server_error": "provider_unavailable",
    "overloaded_error": "provider_unavailable",
}
"""``error.code`` and, where that says nothing, ``error.type`` (T8)."""


class Exchange(msgspec.Struct, frozen=True):
    """An answer on its way. `complete` says that all content came, `closed` that the provider
    said so.
    """

    message: str
    complete: bool = False
    closed: bool = False


class State(msgspec.Struct, frozen=True):
    """The answers on their way, by the number of their exchange."""

    exchanges: dict[int, Exchange] = {}


Seen = tuple[State, Sequence[AnyObservation]]


class OpenaiChat:
    """The adapter. Its state is a `State`; it keeps nothing itself."""

    @property
    def info(self) -> AdapterInfo:
        """The dialect's declaration."""
        return INFO

    def begin(self) -> State:
        """The state before anything arrived."""
        return State()

    def step(self, state: State, arrival: Arrival) -> Seen:
        """The state after `arrival` and what it showed. Total; the same state object if nothing
        changed.
        """
        if isinstance(arrival, Edge):
            return state, ()
        unit, number = arrival.unit, arrival.exchange or 0
        value = unit.value if isinstance(unit, JsonUnit) else None
        match arrival.code:
            case "data" if isinstance(unit, TextUnit):
                return _closed(state, number) if unit.text == DONE else (state, ())
            case "data":
                return _data(state, number, value)
            case "response":
                status = count(value, "status") or 0
                return state, _noted(f"provider status {status}") if status >= 400 else ()
            case "end":
                return _over(state, number, by="provider")
            case "cut":
                return _over(state, number, by=text(value, "by") or "unknown")
            case _:
                return state, ()

    def identity(self, frame: Frame) -> str | None:
        """None: all chunks of an answer have its id (R2)."""
        return None


ADAPTER: Final = OpenaiChat()


def _data(state: State, number: int, value: Json) -> Seen:
    known = state.exchanges.get(number)
    match read(value):
        case Chunk(message, complete):
            now = known or Exchange(message)
            return _with(state, number, replace(now, complete=now.complete or complete)), ()
        case Whole() | Known():
            return state, ()
        case Failed(kind, code):
            cause = ERRORS.get(code) or ERRORS.get(kind, "unknown")
            if known is None or known.complete:
                return state, _noted(f"provider error {cause}")
            trouble = Troubled(turn="", code=cause, message=known.message)
            return _with(state, number, replace(known, closed=True)), (trouble,)
        case Unknown(what):
            return state, _noted(what)
        case other:
            assert_never(other)


def _closed(state: State, number: int) -> Seen:
    known = state.exchanges.get(number)
    return (state if known is None else _with(state, number, replace(known, closed=True))), ()


def _over(state: State, number: int, by: str) -> Seen:
    """The answer's bytes ended. Cut by its reader it shows no trouble of the provider: the agent
    cancelled, or tells itself why it gave up.
    """
    known = state.exchanges.get(number)
    if known is None:
        return state, ()
    rest = State({n: e for n, e in state.exchanges.items() if n != number})
    if known.complete:
        return rest, () if known.closed else _noted("answer not closed")
    if known.closed:
        return rest, ()
    if by == "client":
        return rest, _noted("answer given up by its reader")
    return rest, (Troubled(turn="", code="provider_unavailable", message=known.message),)


def _with(state: State, number: int, exchange: Exchange) -> State:
    if state.exchanges.get(number) == exchange:
        return state
    return State({**state.exchanges, number: exchange})


def _noted(what: str) -> Sequence[AnyObservation]:
    return (Noted(turn="", what=what),)
