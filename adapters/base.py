"""What every dialect folder provides, and what it is given.

An *arrival* is a native frame or an edge signal. An adapter is a pure, total step function over
an immutable state: it classifies arrivals into observations and never raises on native input.
What it does not know it notes. Seen identities and record numbers are the translator's
business, not the adapter's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, TypeVar

import msgspec

from turnreel.lifecycle.observations import AnyObservation
from turnreel.lifecycle.signals import AnySignal
from turnreel.wire.units import Unit

from .claims import Claims

FrameCode = Literal[
    "in", "out", "err", "eof",                           # stdio lines; the host closed stdin
    "request", "response", "data", "end", "cut",         # http exchanges
    "open", "send", "receive", "close",                  # websocket
]  # fmt: skip


class Frame(msgspec.Struct, frozen=True):
    """One native frame. `number` is its record number in the session (the edge's identity, R2);
    `at_us` is microseconds since the session began; `exchange` numbers http requests and
    websockets of a track from 1. For eof, request, response, end and cut the unit is a
    `JsonUnit` of the record's fields.
    """

    track: str
    code: FrameCode
    number: int
    at_us: int
    unit: Unit
    exchange: int | None = None


class Edge(msgspec.Struct, frozen=True):
    """A signal with its place in the session."""

    track: str
    number: int
    at_us: int
    signal: AnySignal


Arrival = Frame | Edge


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """What a stand-in for an agent's program must know. `version_line` is what it prints when asked
    for its version, with ``{}`` for the version; `host_ids` are the fields that hold identities of
    the host's own choice, alone or in a list, a group for each kind. `calls` says how the host
    asks: under JSON-RPC, the ``id`` of its requests is its own, and stands in the answers alone.
    """

    version_line: str = "{}"
    host_ids: tuple[tuple[str, ...], ...] = ()
    calls: Literal["plain", "json-rpc"] = "plain"


class AdapterInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What a dialect declares of itself. `tier` also says that it is a provider's, which has
    trouble and no runs, or what an agent keeps of a session, which may settle a run and begins
    none (O5). `proven` lists the agent versions whose recordings it was proven on; `limits` what
    the dialect cannot say (C8); `reports_tool_errors` T10; `repeats_text` that a piece of text
    delivered twice is text twice, since pieces have no identity and no whole text follows (R2);
    `retry_bound` how many attempts its runtime makes where no frame says it (R7); `claims` its word
    on each subject of a turn, None where no turn is told (Q2); `program` what stands in for the
    agent's program must know.
    """

    dialect: str
    agent: str
    carrier: Literal["stdio", "http", "websocket", "host"]
    tier: Literal["primary", "secondary", "provider", "kept"]
    proven: tuple[str, ...]
    boundary_evidence: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    reports_tool_errors: bool = True
    repeats_text: bool = False
    retry_bound: int | None = None
    claims: Claims | None = None
    program: Program = Program()

    @property
    def has_runs(self) -> bool:
        """Whether runs can begin on a track of this dialect."""
        return self.tier in ("primary", "secondary")


S = TypeVar("S")


class Adapter(Protocol[S]):
    """A dialect's translation into observations."""

    @property
    def info(self) -> AdapterInfo:
        """The dialect's declaration."""

    def begin(self) -> S:
        """The state before anything arrived."""

    def step(self, state: S, arrival: Arrival) -> tuple[S, Sequence[AnyObservation]]:
        """The state after `arrival` and what it showed, in order. Total: never raises on native
        input, never changes `state` in place, returns the same object when nothing changed.
        """

    def identity(self, frame: Frame) -> str | None:
        """The native identity under which a repeated delivery of `frame` is the same frame
        (R2), or None.
        """
