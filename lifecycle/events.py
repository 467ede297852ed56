"""The event types of the turn contract (turn/1): the only thing a reader of turnreel needs to
know.

One definition serves the code, the JSON Schema (`event_schema`) and the documentation. Every
event states the envelope (E1); `seq` is dense from 1 within its run (E2); unknown fields and
unknown non-terminal types are to be ignored by readers (E3).
"""

from __future__ import annotations

from typing import Literal

import msgspec

ActivityKind = Literal[
    "command", "file_read", "file_change", "search", "web", "mcp", "subagent", "question", "other"
]
ActivityState = Literal["started", "progress", "ok", "failed", "declined", "cancelled", "unknown"]
GateKind = Literal["approval", "question", "elicitation"]
Resolution = Literal["approved", "declined", "answered", "withdrawn", "expired", "parked"]
HealthState = Literal["healthy", "recovered", "degraded"]
Outcome = Literal["completed", "blocked", "interrupted", "failed", "abandoned"]
Code = Literal[
    "startup", "incomplete", "missing_final", "provider_unavailable", "rate_limited", "auth",
    "bad_request", "not_found", "context_exhausted", "output_truncated", "quota", "budget",
    "max_turns", "policy", "refused", "hook_stopped", "tool_protocol", "abandoned", "unknown",
]  # fmt: skip
Confidence = Literal["positional", "runtime", "marker"]
PlanState = Literal["pending", "active", "done"]


class Evidence(msgspec.Struct, frozen=True):
    """A reference to the sanitized native frame that caused an event (E4): never its payload."""

    track: str
    index: int


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=False, tag_field="type"):
    """The envelope. `id` is ``run_id:seq``; `at_ms` counts from the run's start and orders
    nothing.
    """

    v: int = 1
    id: str
    run_id: str
    seq: int
    at_ms: int
    terminal: bool = False
    evidence: tuple[Evidence, ...] = ()


class RunStarted(Event, frozen=True, kw_only=True, omit_defaults=False, tag="run.started"):
    """Always seq 1. `caused_by` and `continues` name runs; `parent_run_id` marks a child (O6, R9).
    `request_id` is the parked request of the run that this one continues: it was answered (T5).
    """

    thread_id: str
    agent: str
    dialect: str
    parent_run_id: str | None = None
    caused_by: str | None = None
    continues: str | None = None
    request_id: str | None = None


class Commentary(Event, frozen=True, kw_only=True, omit_defaults=False, tag="commentary"):
    """Model-authored text that is not the answer (C1). Apply at `offset` code points; a grown
    `revision` replaces the text; `retracted` removes it (C7).
    """

    message_id: str
    revision: int = 1
    offset: int = 0
    text: str
    done: bool
    retracted: bool = False


class Activity(Event, frozen=True, kw_only=True, omit_defaults=False, tag="activity"):
    """A tool call, command, file change, search or child agent moves (T10)."""

    activity_id: str
    kind: ActivityKind
    name: str
    state: ActivityState


class PlanItem(msgspec.Struct, frozen=True):
    """One step of a plan."""

    text: str
    state: PlanState


class Plan(Event, frozen=True, kw_only=True, omit_defaults=False, tag="plan"):
    """The plan as it stands; replaces the former one."""

    items: tuple[PlanItem, ...]


class InputRequested(Event, frozen=True, kw_only=True, omit_defaults=False, tag="input.requested"):
    """A gate opens: the run waits for a person, if `blocking` (G7)."""

    request_id: str
    kind: GateKind
    prompt: str
    options: tuple[str, ...] = ()
    blocking: bool = True


class InputResolved(Event, frozen=True, kw_only=True, omit_defaults=False, tag="input.resolved"):
    """A gate closes, once (G5)."""

    request_id: str
    kind: GateKind
    resolution: Resolution


class Source(Event, frozen=True, kw_only=True, omit_defaults=False, tag="source"):
    """A reference the answer rests on."""

    source_id: str
    title: str
    origin: str | None = None


class Artifact(Event, frozen=True, kw_only=True, omit_defaults=False, tag="artifact"):
    """A reference to something the run produced."""

    artifact_id: str
    name: str
    media_type: str | None = None
    origin: str | None = None


class Health(Event, frozen=True, kw_only=True, omit_defaults=False, tag="health"):
    """Runtime health moves (O2): the only type allowed after a terminal (T6)."""

    state: HealthState
    code: Code
    attempt: int | None = None
    will_retry: bool | None = None


class Terminal(Event, frozen=True, kw_only=True, omit_defaults=False):
    """What the four terminals share. Exactly one ends a run (T1); `text` is what a person reads."""

    terminal: bool = True
    message_id: str
    text: str
    outcome: Outcome
    health: HealthState
    code: Code | None = None
    retryable: bool | None = None
    confidence: Confidence | None = None


class Final(Terminal, frozen=True, kw_only=True, omit_defaults=False, tag="final"):
    """The answer: native success and authoritative text (C2)."""


class NeedsInput(Terminal, frozen=True, kw_only=True, omit_defaults=False, tag="needs_input"):
    """The turn ended by asking (T5); `text` is the prompt, `request_id` the parked gate."""

    request_id: str | None = None


class Failed(Terminal, frozen=True, kw_only=True, omit_defaults=False, tag="failed"):
    """The turn failed with a typed `code` (T8)."""


class Cancelled(Terminal, frozen=True, kw_only=True, omit_defaults=False, tag="cancelled"):
    """The host or a person stopped the turn (T7)."""


AnyEvent = (
    RunStarted | Commentary | Activity | Plan | InputRequested | InputResolved | Source | Artifact
    | Health | Final | NeedsInput | Failed | Cancelled
)  # fmt: skip
TERMINALS = (Final, NeedsInput, Failed, Cancelled)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyEvent)


def encode_event(event: AnyEvent) -> bytes:
    """One event as one line of JSON without a line end, UTF-8."""
    return _encoder.encode(event)


def decode_event(line: bytes | str) -> AnyEvent:
    """The event a line holds. Raises `msgspec.ValidationError` for what is no event of turn/1."""
    return _decoder.decode(line)


def event_schema() -> dict[str, object]:
    """The JSON Schema (2020-12) of one event, made from the definitions above."""
    return msgspec.json.schema(AnyEvent)
