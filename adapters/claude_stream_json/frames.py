"""The typed view of Claude Code's stream-json: what the adapter reads of a frame, and no more.

Every struct names the native fields it was read from; the sanitizer's policy has to let exactly
these through. `grammar` reads them, `builders` writes whole native frames.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from turnreel.lifecycle.observations import StopKind
from turnreel.wire.units import Json


class Text(msgspec.Struct, frozen=True):
    """A block ``text``."""

    text: str


class Hidden(msgspec.Struct, frozen=True):
    """A block ``thinking`` or ``redacted_thinking``; nothing of it is read (C4)."""


class Called(msgspec.Struct, frozen=True):
    """A block ``tool_use``, ``server_tool_use`` or ``mcp_tool_use``: ``id name input``."""

    tool: str
    name: str
    arguments: dict[str, Json]


class Returned(msgspec.Struct, frozen=True):
    """A block ``*_tool_result`` inside an assistant message: what a server tool answered."""

    tool: str
    failed: bool


Block = Text | Hidden | Called | Returned


class Words(msgspec.Struct, frozen=True):
    """The typed words of a failure: ``error``, ``api_error``, ``error_status`` or
    ``api_error_status``, ``terminal_reason``, ``subtype``.
    """

    error: str | None = None
    api_error: str | None = None
    status: int | None = None
    reason: str | None = None
    subtype: str | None = None


class Begun(msgspec.Struct, frozen=True):
    """``system/init``: printed at the start of every turn. ``user_message_uuids``."""

    session: str | None
    messages: tuple[str, ...]


class Joins(msgspec.Struct, frozen=True):
    """Any frame of no other meaning that lists ``user_message_uuids``."""

    messages: tuple[str, ...]


class Started(msgspec.Struct, frozen=True):
    """``stream_event`` of ``message_start``: ``message.id``."""

    parent: str | None
    message: str
    messages: tuple[str, ...]


class Delta(msgspec.Struct, frozen=True):
    """``stream_event`` of ``message_delta``: ``delta.stop_reason``, ``api_message_id``. A null
    reason closes a message that was cut or aborted.
    """

    parent: str | None
    message: str | None
    stop: StopKind | None


class Stop(msgspec.Struct, frozen=True):
    """``stream_event`` of ``message_stop``: ``abandoned_blocks`` says from where the message is
    void.
    """

    parent: str | None
    message: str | None
    abandoned: str | None
    from_block: int


class Assistant(msgspec.Struct, frozen=True, kw_only=True):
    """``assistant``: completed blocks of one message. `failure` is set where the runtime itself
    speaks of an error; `runtime` where it is not the model that speaks.
    """

    parent: str | None
    uuid: str | None
    message: str
    blocks: tuple[Block, ...]
    stop: StopKind | None
    runtime: bool
    failure: Words | None
    aborted: bool
    messages: tuple[str, ...]
    supersedes: tuple[str, ...]


class ToolResult(msgspec.Struct, frozen=True):
    """A block ``tool_result`` with its entry of ``tool_result_meta``: ``is_error``,
    ``permission_decision.decision`` and ``.source``, ``non_execution_kind``.
    """

    tool: str
    failed: bool
    decision: str | None = None
    source: str | None = None
    unrun: str | None = None


class User(msgspec.Struct, frozen=True, kw_only=True):
    """``user`` on stdout: tool results, or the runtime speaking to the model (``isSynthetic``).
    `refused` is ``refused_message_id`` of a ``refusal_retry``.
    """

    parent: str | None
    results: tuple[ToolResult, ...]
    synthetic: bool
    refused: str | None
    text: str


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """``result``: the only frame that ends a turn.

    Fields: ``subtype is_error result stop_reason terminal_reason num_turns structured_output
    deferred_tool_use.id local_command origin.kind begun_message_ids user_message_uuids
    api_error api_error_status``. `structured` is the structured output as text.
    """

    words: Words
    failed: bool
    text: str | None
    stop: StopKind | None
    turns: int | None
    structured: str | None
    deferred: str | None
    local: bool
    notified: bool
    begun: tuple[str, ...]
    messages: tuple[str, ...]


class Retry(msgspec.Struct, frozen=True):
    """``system/api_retry``, and ``tool_progress.subagent_retry`` where `child` is its tool."""

    words: Words
    attempt: int | None
    bound: int | None = None
    child: str | None = None


class Progress(msgspec.Struct, frozen=True):
    """``tool_progress``: ``tool_use_id``."""

    tool: str


class Denied(msgspec.Struct, frozen=True):
    """``system/permission_denied``: the runtime blocked ``tool_use_id`` by itself."""

    tool: str


class FellBack(msgspec.Struct, frozen=True):
    """``system/model_fallback`` or ``model_refusal_fallback``: another model goes on.
    ``retracted_message_uuids`` are taken back.
    """

    refused: bool
    retracted: tuple[str, ...]


class NoFallback(msgspec.Struct, frozen=True):
    """``system/model_refusal_no_fallback``: the model refused and nothing goes on."""


class Halted(msgspec.Struct, frozen=True):
    """``system/informational`` with ``prevent_continuation``: a hook stopped the turn."""


class Compacted(msgspec.Struct, frozen=True):
    """``system/compact_boundary`` with ``compact_metadata.trigger`` manual: the runtime carried
    out the person's own command.
    """


class TaskStarted(msgspec.Struct, frozen=True):
    """``system/task_started``: ``task_id tool_use_id task_type subagent_type``."""

    task: str
    tool: str
    agent: bool


class TaskEnded(msgspec.Struct, frozen=True):
    """``system/task_notification``: ``tool_use_id status summary``."""

    task: str
    tool: str
    status: str
    summary: str


class Lifecycle(msgspec.Struct, frozen=True):
    """``command_lifecycle`` of a stdin message that carries a uuid."""

    message: str
    state: str


class Asks(msgspec.Struct, frozen=True):
    """``control_request`` of ``can_use_tool``: ``tool_name tool_use_id input``."""

    request: str
    name: str
    tool: str | None
    arguments: dict[str, Json]


class Elicits(msgspec.Struct, frozen=True):
    """``control_request`` of ``elicitation`` (``message``) or ``request_user_dialog``
    (``dialog_kind``).
    """

    request: str
    kind: Literal["elicitation", "question"]
    prompt: str


class Withdrawn(msgspec.Struct, frozen=True):
    """``control_cancel_request``: the agent takes its question back."""

    request: str


class Acknowledged(msgspec.Struct, frozen=True):
    """``control_response`` to an interrupt: ``still_queued``, ``cancelled``."""

    cancelled: tuple[str, ...]


class Known(msgspec.Struct, frozen=True):
    """A frame of the dialect that says nothing about the turn."""


class Unknown(msgspec.Struct, frozen=True):
    """A frame nobody described, or one whose shape is not the described one."""

    what: str


class Prompt(msgspec.Struct, frozen=True):
    """stdin ``user`` with a message of a person: ``uuid``."""

    uuid: str | None


class Interrupt(msgspec.Struct, frozen=True):
    """stdin ``control_request`` of ``interrupt``."""


class StopTask(msgspec.Struct, frozen=True):
    """stdin ``control_request`` of ``stop_task``: ``task_id``."""

    task: str


class Answer(msgspec.Struct, frozen=True):
    """stdin ``control_response``: ``response.request_id``, ``response.response.behavior`` or
    ``.action``, ``.interrupt``.
    """

    request: str
    verdict: Literal["allowed", "denied", "withdrawn"]
    interrupts: bool


OutFrame = (
    Begun | Joins | Started | Delta | Stop | Assistant | User | Result | Retry | Progress | Denied
    | FellBack | NoFallback | Halted | Compacted | TaskStarted | TaskEnded | Lifecycle | Asks
    | Elicits | Withdrawn | Acknowledged | Known | Unknown
)  # fmt: skip
InFrame = Prompt | Interrupt | StopTask | Answer | Known | Unknown
