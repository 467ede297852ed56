"""Observations: an adapter's whole output language.

An adapter classifies what it saw; it never numbers, times, de-duplicates or decides. Every
observation names the native `turn` it belongs to by a key the adapter chooses; messages,
activities and requests are named by their native ids. None of these keys reach an event: the
lifecycle gives its own.

The mirror of this file is `signals`: what only the edge knows.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from .events import (
    ActivityKind,
    ActivityState,
    Code,
    Confidence,
    GateKind,
    Outcome,
    PlanItem,
    Resolution,
)

Role = Literal["unclear", "commentary", "answer", "partial_answer"]
"""What native evidence says of a text: nothing yet; that it is not the answer; that it is; that
it is a part the provider marked as partial (C1, C2, C3).
"""

StopKind = Literal["ends", "continues", "limited", "paused", "refused", "unknown"]
"""A message's own stop reason: the answer ended; a tool call follows; a token limit cut it; the
turn goes on (pause); the model refused; a word the dialect does not know.
"""

Extent = Literal["tail", "whole"]
"""What a named text covers: by its nature only the end of the answer, or all of it (C6)."""

Ending = Literal["completed", "failed", "interrupted", "asked"]
"""How the native terminal says that the turn ended. ``interrupted`` only where the host or a person
caused it; an interruption that nobody asked for is ``failed`` with code incomplete (T7).
"""


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """What all observations share: the native turn they speak of."""

    turn: str


class Began(Observation, frozen=True, kw_only=True):
    """A native turn began. Repeating it changes nothing. `parent` marks a child run (O6),
    `caused_by` the turn whose background work started this one, `continues` the turn whose
    parked gate was answered (R9, T5). `called` is what the agent itself calls the turn, where that
    is not its key: signals and receipts name it so.
    """

    called: str | None = None
    parent: str | None = None
    caused_by: str | None = None
    continues: str | None = None


class Awoke(Observation, frozen=True, kw_only=True):
    """The agent printed its first frame of the turn: from here a loss is `incomplete`, not
    `startup` (T4). `thread` is the native thread of the turn, where provider requests may name
    it: they belong to the latest turn of that thread (O4); or another name by which what the agent
    keeps calls the turn (O5).
    """

    thread: str | None = None


class AttemptStarted(Observation, frozen=True, kw_only=True):
    """A provider request of this turn began to answer with native message `message` (O4
    attributes by it).
    """

    message: str


class AttemptAbandoned(Observation, frozen=True, kw_only=True):
    """The runtime gave `message` up: its unpublished text is void from `from_block` on (R8);
    what was published may be re-said by a later attempt and is then that message (C7).
    """

    message: str
    from_block: int = 0


class Saying(Observation, frozen=True, kw_only=True):
    """A piece of a text block arrived; published at once only when `role` is commentary (C7)."""

    message: str
    block: int
    delta: str
    role: Role = "unclear"


class Said(Observation, frozen=True, kw_only=True):
    """A text block is complete; `text` is all of it. Saying a block again corrects it, never
    doubles it. `closes` says that no further block of this message will come.
    """

    message: str
    block: int
    text: str
    role: Role = "unclear"
    closes: bool = False


class Thought(Observation, frozen=True, kw_only=True):
    """A hidden block is complete: it proves that the model answers and carries nothing (C4)."""

    message: str


class Stopped(Observation, frozen=True, kw_only=True):
    """A message gave its own stop reason (C1, C2)."""

    message: str
    reason: StopKind


class Kept(Observation, frozen=True, kw_only=True):
    """The runtime kept this message's text after a cut or limit and asked to continue it: a
    segment (C6).
    """

    message: str


class Voided(Observation, frozen=True, kw_only=True):
    """This message's unpublished text counts for nothing: refused text, a runtime notice (C1,
    C9).
    """

    message: str


class Retracted(Observation, frozen=True, kw_only=True):
    """This message, published or not, is taken back by the agent (C7)."""

    message: str


class Named(Observation, frozen=True, kw_only=True):
    """The native terminal names a text. `alone` says that the dialect's rule lets it stand
    without a message of the stream (structured output, an output format without messages, a
    runtime's own answer). `message` is the native message that the terminal points to, where it
    names one: an explicit answer mark on another beats it (C2).
    """

    text: str
    extent: Extent
    alone: bool = False
    message: str | None = None


class ToolMoved(Observation, frozen=True, kw_only=True):
    """An activity started, progressed or closed (T10). `message` is the native message that
    called it. Only ``started`` opens one; a close for an unknown id is counted and dropped.
    """

    activity: str
    state: ActivityState
    kind: ActivityKind = "other"
    name: str = ""
    message: str | None = None


class Asked(Observation, frozen=True, kw_only=True):
    """A native request the host can answer (G7). `activity` is the tool behind the gate, if any."""

    request: str
    kind: GateKind
    prompt: str
    options: tuple[str, ...] = ()
    blocking: bool = True
    activity: str | None = None


class Resolved(Observation, frozen=True, kw_only=True):
    """A gate was answered, withdrawn or expired. A second answer is dropped and counted (G5)."""

    request: str
    resolution: Resolution


class Refused(Observation, frozen=True, kw_only=True):
    """The agent refused to start this turn: failed(startup) unless a typed `code` says more
    (T8, R9).
    """

    code: Code | None = None


class Planned(Observation, frozen=True, kw_only=True):
    """The plan as it stands."""

    items: tuple[PlanItem, ...]


class Sourced(Observation, frozen=True, kw_only=True):
    """A reference the answer rests on."""

    source: str
    title: str
    origin: str | None = None


class Troubled(Observation, frozen=True, kw_only=True):
    """The runtime had trouble (O2, O3). It never ends a run. `attempt` counts from 1. On a
    provider track `turn` is empty and `message` attributes the trouble to a run, or it affects
    none (O4). Trouble that struck no message, or one that no run tells of, may be attributed by its
    `lineage`: a native thread, or the message that the same request brought when it was repeated.
    `bound` is how many attempts the runtime says it will make at most (R7).
    """

    code: Code
    attempt: int | None = None
    will_retry: bool | None = None
    message: str | None = None
    lineage: str | None = None
    lasting: bool = False
    bound: int | None = None


class CancelAsked(Observation, frozen=True, kw_only=True):
    """The host asked on the dialect's own input to cancel this turn (T7); same fact as the
    edge's signal.
    """


class Ended(Observation, frozen=True, kw_only=True):
    """The typed native terminal of the turn (T3). `deferred` is the activity that a native
    terminal names as waiting for a person (T9), `request` the open gate that it names as what the
    turn ended with (T5). `code` and `retryable` only where typed words say so.
    """

    ending: Ending
    code: Code | None = None
    retryable: bool | None = None
    confidence: Confidence | None = None
    deferred: str | None = None
    request: str | None = None


class Receipted(Observation, frozen=True, kw_only=True):
    """What the agent itself keeps, or answers when it is asked, tells how a turn ended: evidence
    for a completion receipt (O5). It names the native turn, by `turn` or, where that is empty, by
    `message`, which is then the answer's native message, or by `lineage`, which a turn was said to
    be of (`Awoke`). `text` is the whole answer.
    """

    outcome: Outcome
    message: str | None = None
    lineage: str | None = None
    text: str | None = None
    code: Code | None = None


class Noted(Observation, frozen=True, kw_only=True):
    """Counted, nothing else: an unknown or unreadable frame, an orphan, a disagreement."""

    what: str


AnyObservation = (
    Began
    | Awoke
    | AttemptStarted
    | AttemptAbandoned
    | Saying
    | Said
    | Thought
    | Stopped
    | Kept
    | Voided
    | Retracted
    | Named
    | ToolMoved
    | Asked
    | Resolved
    | Refused
    | Planned
    | Sourced
    | Troubled
    | CancelAsked
    | Ended
    | Receipted
    | Noted
)
