"""The Responses API to observations: which run was struck by which trouble (O4).

Trouble is an answer that failed, was refused with an error status, or broke off before it was
complete. It is attributed, in this order: to the message that was being answered, if the agent
tells of it; to the thread that the request's header names; to the first message of the next answer,
which is the request repeated, where requests tell nothing of themselves and come one after the
other. Limits are no trouble (O2), and what nothing claims affects no run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

import msgspec
from msgspec.structs import replace

from turnreel.adapters.base import AdapterInfo, Arrival, Edge, Frame
from turnreel.adapters.fields import count, fields, text
from turnreel.adapters.working import Working
from turnreel.lifecycle.events import Code
from turnreel.lifecycle.observations import AnyObservation, Noted, Troubled
from turnreel.lifecycle.tables import LIMITS, code_of_status
from turnreel.wire.units import Json, JsonUnit

from .frames import KNOWN, Complete, Created, Failed, Item, Known, Unknown, read

INFO: Final = AdapterInfo(
    dialect="openai-responses",
    agent="",
    carrier="http",
    tier="provider",
    proven=("codex 0.171.0",),
    boundary_evidence=("response.created", "response.completed"),
    limits=(
        "without a thread header, trouble before the first message of an answer belongs to the"
        " next answer of the track",
    ),
)

ERRORS: Final[dict[str, Code]] = {
    "rate_limit_exceeded": "rate_limited",
    "rate_limit": "rate_limited",
    "server_error": "provider_unavailable",
    "server_is_overloaded": "provider_unavailable",
    "slow_down": "provider_unavailable",
    "context_length_exceeded": "context_exhausted",
    "insufficient_quota": "quota",
    "usage_limit_reached": "quota",
    "usage_not_included": "quota",
    "invalid_api_key": "auth",
    "model_not_found": "not_found",
    "invalid_prompt": "bad_request",
    "invalid_request_error": "bad_request",
}
"""``error.code`` and, where that says nothing, ``error.type`` (T8)."""

REPEATED: Final = frozenset({401, 403, 404, 408, 409, 425, 426})
"""Statuses below 500 after which an agent may ask again; 429 only if it says when."""

FINAL: Final[frozenset[Code]] = frozenset({"bad_request", "not_found"})
"""Codes of requests that are not repeated, whatever the status."""

THREAD: Final = "thread-id"
"""The header by which Codex names the thread of a request."""


class Exchange(msgspec.Struct, frozen=True):
    """A request, or a WebSocket, under way. `status` and `retry_after` are an error answer's;
    `open` says that an answer began, or was asked for on a WebSocket, and is not complete,
    `message` is the first message of it. `failed` says that its trouble was told: told again it is
    the same.
    """

    thread: str | None = None
    status: int | None = None
    retry_after: bool = False
    open: bool = False
    message: str | None = None
    failed: bool = False


class State(msgspec.Struct, frozen=True):
    """The exchanges under way by number, and trouble that waits for the request to be repeated."""

    exchanges: dict[int, Exchange] = {}
    waiting: tuple[Code, ...] = ()


class OpenaiResponses:
    """The adapter. Its state is a `State`; it keeps nothing itself."""

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
            return state, ()
        value = arrival.unit.value if isinstance(arrival.unit, JsonUnit) else None
        now = _Reading(state, arrival.exchange or 0)
        match arrival.code:
            case "request" | "open":
                now.put(Exchange(thread=text(fields(value, "headers"), THREAD)))
            case "response":
                _answers(now, value)
            case "send" if text(value, "type") == "response.create":
                now.put(replace(now.exchange, open=True, message=None, failed=False))
            case "data" | "receive":
                _event(now, value)
            case "end" | "cut" | "close":
                _over(now, text(value, "by") or "upstream")
            case _:
                return state, ()
        return now.state, now.seen

    def identity(self, frame: Frame) -> str | None:
        """None: the API gives events no identity that survives a repeated request (R2)."""
        return None


ADAPTER: Final = OpenaiResponses()


class _Reading(Working[State]):
    """The working copy of one step, about one exchange."""

    __slots__ = ("_number",)

    def __init__(self, state: State, number: int) -> None:
        super().__init__(state)
        self._number = number

    @property
    def exchange(self) -> Exchange:
        return self.state.exchanges.get(self._number) or Exchange()

    def put(self, exchange: Exchange) -> None:
        if self.state.exchanges.get(self._number) != exchange:
            self.set(exchanges={**self.state.exchanges, self._number: exchange})

    def drop(self) -> None:
        self.set(exchanges={n: e for n, e in self.state.exchanges.items() if n != self._number})

    def note(self, what: str) -> None:
        self.see(Noted(turn="", what=what))


def _answers(now: _Reading, value: Json) -> None:
    """An error status is trouble by itself; its body may say what kind."""
    status = count(value, "status") or 0
    if status >= 400:
        after = "retry-after" in fields(value, "headers")
        now.put(replace(now.exchange, status=status, retry_after=after))


def _event(now: _Reading, value: Json) -> None:
    event = read(value)
    if event is KNOWN:
        return
    known = now.exchange
    match event:
        case Created():
            now.put(replace(known, open=True, message=None, failed=False))
        case Item(message):
            if known.message is None:
                now.put(replace(known, open=True, message=message))
                _claim(now, message)
        case Complete():
            now.put(replace(known, open=False, message=None))
        case Failed() if not known.failed:
            status = event.status or known.status
            if status is not None:
                after = event.retry_after or known.retry_after
                now.put(replace(known, status=status, retry_after=after))
            _trouble(now, _code(event, status))
            now.put(Exchange(thread=known.thread, failed=True))
        case Unknown(what):
            now.note(what)
        case Known() | Failed():
            pass
        case other:
            assert_never(other)


def _over(now: _Reading, by: str) -> None:
    """The bytes ended. Broken off by its reader an answer shows no trouble of the provider: the
    agent cancelled, or tells itself why it gave up.
    """
    known = now.exchange
    if known.open and by != "client":
        _trouble(now, "provider_unavailable")
    elif known.open:
        now.note("answer given up by its reader")
    elif known.status is not None:
        _trouble(now, code_of_status(known.status))
    now.drop()


def _trouble(now: _Reading, code: Code) -> None:
    known = now.exchange
    if code in LIMITS:
        now.note(f"provider limit {code}")
    elif known.message is not None:
        now.see(Troubled(turn="", code=code, message=known.message, lineage=known.thread))
    elif known.thread is not None:
        now.see(Troubled(turn="", code=code, lineage=known.thread))
    elif code in FINAL or not _is_repeated(known):
        now.note(f"provider error {code}")
    else:
        now.set(waiting=(*now.state.waiting, code))


def _claim(now: _Reading, message: str) -> None:
    """The first message of an answer: trouble that waited was of the same request."""
    for code in now.state.waiting:
        now.see(Troubled(turn="", code=code, lineage=message))
    if now.state.waiting:
        now.set(waiting=())


def _is_repeated(exchange: Exchange) -> bool:
    """Whether an agent may send this request again."""
    match exchange.status:
        case None:
            return True
        case 429:
            return exchange.retry_after
        case status:
            return status >= 500 or status in REPEATED


def _code(failed: Failed, status: int | None) -> Code:
    """A typed word, or else the status."""
    for word in (failed.code, failed.kind):
        if word in ERRORS:
            return ERRORS[word]
    return code_of_status(status) if status is not None else "unknown"
