"""What happens in a scripted turn, in no dialect's words. Every dialect's `render` writes the same
steps in its own frames, so that one script drives them all and their turns can be compared (Q2).

A script is a sequence of steps of one turn. Ids are given by the script's author or counted, so
that rendering the same script twice gives the same frames.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from turnreel.lifecycle.events import ActivityKind, PlanItem
from turnreel.lifecycle.signals import AnySignal
from turnreel.wire.units import Json


class Say(msgspec.Struct, frozen=True):
    """A text block."""

    text: str


class Think(msgspec.Struct, frozen=True):
    """A hidden block."""

    text: str


class Call(msgspec.Struct, frozen=True):
    """A tool call. `name` is the tool's name in the dialect that is rendered, or a kind of
    activity: then the dialect's first tool of that kind is called.
    """

    tool: str
    name: str
    arguments: dict[str, Json] = {}


Block = Say | Think | Call

Stop = Literal["end_turn", "tool_use", "max_tokens", "refusal", "pause_turn"]


class Answer(msgspec.Struct, frozen=True):
    """The model answers with one whole message."""

    blocks: tuple[Block, ...]
    stop: Stop = "end_turn"


class Break(msgspec.Struct, frozen=True):
    """The model's answer breaks off after whole `blocks`, in the middle of the text `partial`;
    the runtime asks again.
    """

    partial: str
    blocks: tuple[Block, ...] = ()


class Reject(msgspec.Struct, frozen=True):
    """The provider rejects a request with an error status; the runtime asks again."""

    status: int


class Return(msgspec.Struct, frozen=True):
    """A tool returns."""

    tool: str
    text: str = ""
    outcome: Literal["ok", "failed"] = "ok"


Verdict = Literal["allow", "deny"]


class Ask(msgspec.Struct, frozen=True):
    """The agent asks the person before it runs a tool, and is answered; not yet where `verdict` is
    None.
    """

    tool: str
    verdict: Verdict | None = None


class Reply(msgspec.Struct, frozen=True):
    """The person answers what was asked before this tool, whenever that was."""

    tool: str
    verdict: Verdict


class Withdraw(msgspec.Struct, frozen=True):
    """What was asked before this tool is taken back."""

    tool: str


class Question(msgspec.Struct, frozen=True):
    """The agent asks the person for a detail, with `options` to choose from, and is told the first
    of them.
    """

    tool: str
    text: str
    options: tuple[str, ...]


class Plan(msgspec.Struct, frozen=True):
    """The agent says its plan, as it now stands."""

    tool: str
    items: tuple[PlanItem, ...]


class Interrupt(msgspec.Struct, frozen=True):
    """The person cancels in the middle of the text `partial`, or of whatever else is on its way
    where that is empty; the turn ends.
    """

    partial: str = ""


class End(msgspec.Struct, frozen=True):
    """The turn ends as the steps before it imply: with the last answer's text."""


Refusal = Literal[400, 401, 404, 429, 500]
"""Statuses at which every runtime is known to give up."""


class Fail(msgspec.Struct, frozen=True):
    """The provider rejects a request with an error status, the runtime gives up, and the turn
    fails.
    """

    status: Refusal


class Resume(msgspec.Struct, frozen=True):
    """The session was resumed before this turn, and `answer` is what its former turn was answered
    with. Stands first.
    """

    answer: str


class Handover(msgspec.Struct, frozen=True):
    """Another agent had the turn before this one, and answered it with `answer`; the host shows
    that to this agent, as context before what the person asks. Stands first.
    """

    answer: str


class Foreign(msgspec.Struct, frozen=True):
    """Another thread of the same connection fails with an error status."""

    status: Refusal


class Steer(msgspec.Struct, frozen=True):
    """The person writes while the turn runs, and the agent takes the message into it at the next
    request of the model.
    """

    text: str


class Spawn(msgspec.Struct, frozen=True):
    """The child agent that this tool call asked for begins to work."""

    tool: str


class Report(msgspec.Struct, frozen=True):
    """The child agent of this tool call ends: `text` is what it reports, and nothing where it
    failed. It may outlast the turn that called it.
    """

    tool: str
    text: str = ""
    outcome: Literal["ok", "failed"] = "ok"


class Wake(msgspec.Struct, frozen=True):
    """What this tool call had left at work reported back after the turn: the agent begins a turn
    that nobody asked for.
    """

    tool: str


class Tell(msgspec.Struct, frozen=True):
    """The edge knows something: no frame, in any dialect."""

    signal: AnySignal


class Again(msgspec.Struct, frozen=True):
    """All that the agent told so far is delivered once more, as new records."""


Beside = Tell | Again
"""Steps that no dialect has words for: who plays a script does them."""

Step = (
    Answer | Break | Reject | Return | Ask | Reply | Withdraw | Question | Plan | Interrupt | End
    | Fail | Resume | Foreign | Handover | Steer | Spawn | Report | Wake | Beside
)  # fmt: skip
Script = tuple[Step, ...]


class Unsayable(ValueError):
    """A step that a dialect has no frame for; the message says which."""


def message_id(ordinal: int) -> str:
    """The native id of the `ordinal`-th message of a script, from 1; the same in every dialect,
    as the agent passes on the provider's own.
    """
    return f"msg_{ordinal:04d}"


def calls(script: Script) -> dict[str, Call]:
    """All tool calls of a script by their ids."""
    return {
        block.tool: block
        for step in script
        if isinstance(step, Answer | Break)
        for block in step.blocks
        if isinstance(block, Call)
    }


def named(script: Script, kinds: Mapping[str, ActivityKind]) -> Script:
    """`script` with the first tool of each kind in place of the kind's own name. `kinds` is a
    dialect's table of tools; a name that is one of its tools stays.
    """
    first: dict[str, str] = {}
    for name, kind in kinds.items():
        first.setdefault(kind, name)

    def of(block: Block) -> Block:
        if not isinstance(block, Call) or block.name in kinds:
            return block
        return replace(block, name=first.get(block.name, block.name))

    return tuple(
        replace(step, blocks=tuple(of(block) for block in step.blocks))
        if isinstance(step, Answer | Break)
        else step
        for step in script
    )
