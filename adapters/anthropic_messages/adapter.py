"""The Messages API to observations: which message was struck by which trouble (O4).

Trouble is what loses model output: an error event or an end in the middle of a message. An
answer that was all there and merely not closed lost nothing and is noted. An error status, or
an error before the message began, names no message: it can be attributed to no run and is noted.
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
from turnreel.wire.units import Json, JsonUnit

from .frames import KNOWN, Closed, Complete, Failed, Known, Started, Unknown, read

INFO: Final = AdapterInfo(
    dialect="anthropic-messages",
    agent="",
    carrier="http",
    tier="provider",
    proven=("2023-06-01",),
    boundary_evidence=("message_start", "message_delta with a stop reason", "message_stop"),
    limits=("an answer without a message id belongs to no run",),
)

ERRORS: Final[dict[str, Code]] = {
    "authentication_error": "auth",
    "permission_error": "auth",
    "not_found_error": "not_found",
    "rate_limit_error": "rate_limited",
    "billing_error": "quota",
    "invalid_request_error": "bad_request",
    "request_too_large": "bad_request",
    "api_error": "provider_unavailable",
    "overloaded_error": "provider_unavailable",
    "timeout_error": "provider_unavailable",
}
"""``error.type`` of the API to the contract's codes (T8)."""


class Exchange(msgspec.Struct, frozen=True):
    """An answer on its way. `complete` says that all content came, `closed` that the provider
    said so.
    """

    message: str | None = None
    complete: bool = False
    closed: bool = False
    failed: bool = False


class State(msgspec.Struct, frozen=True):
    """The answers on their way, by the number of their exchange."""

    exchanges: dict[int, Exchange] = {}


Seen = tuple[State, Sequence[AnyObservation]]
FRESH: Final = Exchange()


class AnthropicMessages:
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
        value = arrival.unit.value if isinstance(arrival.unit, JsonUnit) else None
        number = arrival.exchange or 0
        match arrival.code:
            case "data":
                return _data(state, number, value)
            case "response":
                return state, _status(value)
            case "end":
                return _over(state, number, by="provider")
            case "cut":
                return _over(state, number, by=text(value, "by") or "unknown")
            case _:
                return state, ()

    def identity(self, frame: Frame) -> str | None:
        """None: the API gives events no identity (R2)."""
        return None


ADAPTER: Final = AnthropicMessages()


def _data(state: State, number: int, value: Json) -> Seen:
    event = read(value)
    if event is KNOWN:
        return state, ()
    known = state.exchanges.get(number, FRESH)
    match event:
        case Started(message):
            return _with(state, number, replace(known, message=message)), ()
        case Complete(whole):
            done = replace(known, complete=True)
            if whole is not None:
                done = replace(done, message=whole, closed=True)
            return _with(state, number, done), ()
        case Closed():
            return _with(state, number, replace(known, closed=True)), ()
        case Failed(kind):
            failed = _with(state, number, replace(known, failed=True))
            code = ERRORS.get(kind, "unknown")
            if known.message is None or known.complete:
                return failed, _noted(f"provider error {code}")
            return failed, (Troubled(turn="", code=code, message=known.message),)
        case Unknown(what):
            return state, _noted(what)
        case Known():
            return state, ()
        case other:
            assert_never(other)


def _status(value: Json) -> Sequence[AnyObservation]:
    status = count(value, "status") or 0
    return _noted(f"provider status {status}") if status >= 400 else ()


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
        return rest, _noted("answer not closed")
    if by == "client":
        return rest, _noted("answer given up by its reader")
    if known.message is None:
        return rest, ()
    return rest, (Troubled(turn="", code="provider_unavailable", message=known.message),)


def _with(state: State, number: int, exchange: Exchange) -> State:
    if state.exchanges.get(number) == exchange:
        return state
    return State({**state.exchanges, number: exchange})


def _noted(what: str) -> Sequence[AnyObservation]:
    return (Noted(turn="", what=what),)
