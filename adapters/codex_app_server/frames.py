"""The typed view of the app-server's JSON-RPC: what the adapter reads, and no more.

`OutFrame` is what the agent prints, `InFrame` what the host writes. JSON-RPC ids are keys made by
`key`: the number 1 and the string "1" are two. A turn's id may be unknown (None) where the frame
names the thread alone.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from turnreel.lifecycle.events import ActivityKind, ActivityState, GateKind, PlanItem
from turnreel.lifecycle.observations import Role


class Words(msgspec.Struct, frozen=True):
    """``error``: the typed word of ``codexErrorInfo``, its HTTP status, and the sentences that
    literals may refine.
    """

    info: str | None = None
    status: int | None = None
    sentence: str = ""
    details: str = ""


# Items


class Message(msgspec.Struct, frozen=True):
    """``agentMessage``: text, and by ``phase`` and ``delivery`` what it is. `asks` are the
    questions of one that was delivered beside the turn, with the labels of their options.
    """

    id: str
    text: str
    role: Role
    asks: str = ""
    options: tuple[str, ...] = ()


class Thinking(msgspec.Struct, frozen=True):
    """``reasoning``: only that there was one (C4)."""

    id: str


class Tool(msgspec.Struct, frozen=True):
    """An item that is an activity. `children` are the threads a collaboration call speaks to."""

    id: str
    name: str
    kind: ActivityKind
    state: ActivityState
    ran: bool = False
    children: tuple[str, ...] = ()


class Child(msgspec.Struct, frozen=True):
    """``subAgentActivity``: what became of the child agent that works in a thread of its own."""

    thread: str
    kind: str


class Compaction(msgspec.Struct, frozen=True):
    """``contextCompaction``: the runtime's own work."""


class Prompt(msgspec.Struct, frozen=True):
    """``userMessage``: the turn has a user's message."""


class Proposal(msgspec.Struct, frozen=True):
    """``plan``: the plan that a turn in plan mode proposes, as one text."""

    text: str


class Review(msgspec.Struct, frozen=True):
    """``exitedReviewMode``: what the reviewer found, as one text."""

    text: str


class Other(msgspec.Struct, frozen=True):
    """An item that says nothing of a turn; ``enteredReviewMode`` is one."""


AnyItem = Message | Thinking | Tool | Child | Compaction | Prompt | Proposal | Review | Other


# What the agent prints


class ThreadKnown(msgspec.Struct, frozen=True):
    """``thread/started``: `parent` is the thread that spawned it."""

    thread: str
    parent: str | None


class TurnStarted(msgspec.Struct, frozen=True):
    """``turn/started``. `root` is the turn whose child agents' turn this is, or this one."""

    thread: str
    turn: str
    root: str


class ItemMoved(msgspec.Struct, frozen=True):
    """``item/started`` or ``item/completed``."""

    thread: str
    turn: str
    done: bool
    item: AnyItem


class Piece(msgspec.Struct, frozen=True):
    """``item/agentMessage/delta``."""

    thread: str
    turn: str
    item: str
    text: str


class Progress(msgspec.Struct, frozen=True):
    """``item/mcpToolCall/progress``."""

    thread: str
    turn: str
    item: str


class Answered(msgspec.Struct, frozen=True):
    """``thread/tokenUsage/updated``: a provider's response was complete."""

    thread: str
    turn: str


class Error(msgspec.Struct, frozen=True):
    """``error``, with ``willRetry``."""

    thread: str
    turn: str
    words: Words
    retries: bool


class Steps(msgspec.Struct, frozen=True):
    """``turn/plan/updated``."""

    thread: str
    turn: str
    items: tuple[PlanItem, ...]


class Fallback(msgspec.Struct, frozen=True):
    """A ``warning`` that the thread goes on over another transport, or ``model/rerouted``."""

    thread: str
    turn: str | None
    by_policy: bool


class TurnEnded(msgspec.Struct, frozen=True):
    """``turn/completed``: status, error, and the message that its summary of items names."""

    thread: str
    turn: str
    status: str
    words: Words | None
    named: Message | None


class Asks(msgspec.Struct, frozen=True):
    """A request of the agent that a person answers."""

    request: str
    thread: str
    turn: str | None
    item: str | None
    kind: GateKind
    prompt: str
    options: tuple[str, ...] = ()


class Settled(msgspec.Struct, frozen=True):
    """``serverRequest/resolved``: the agent no longer waits for the answer."""

    request: str


class Reply(msgspec.Struct, frozen=True):
    """A response to a request of the host. `turn` is the id of the turn in its result."""

    request: str
    turn: str | None
    refused: bool


# What the host writes


class Start(msgspec.Struct, frozen=True):
    """``turn/start`` with an input, or ``review/start``: begins a run, or joins one (R9)."""

    request: str
    thread: str


class Steer(msgspec.Struct, frozen=True):
    """``turn/steer``: a message for the turn that runs."""

    request: str
    thread: str


class Interrupt(msgspec.Struct, frozen=True):
    """``turn/interrupt``."""

    thread: str
    turn: str | None


class Answer(msgspec.Struct, frozen=True):
    """A response to a request of the agent. `stops` says that it also ends the turn."""

    request: str
    verdict: Literal["accepted", "declined", "withdrawn"]
    stops: bool = False


class Known(msgspec.Struct, frozen=True):
    """A frame that says nothing of a turn."""


class Unknown(msgspec.Struct, frozen=True):
    """A frame nobody described."""

    what: str


OutFrame = (
    ThreadKnown
    | TurnStarted
    | ItemMoved
    | Piece
    | Progress
    | Answered
    | Error
    | Steps
    | Fallback
    | TurnEnded
    | Asks
    | Settled
    | Reply
    | Known
    | Unknown
)
InFrame = Start | Steer | Interrupt | Answer | Known | Unknown
