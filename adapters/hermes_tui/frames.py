"""The typed view of the TUI gateway: what the adapter reads of a line, and no more.

Events stand in ``params`` of method ``event``: ``type``, ``session_id``, ``payload``. The names
below are those of ``payload``.
"""

from __future__ import annotations

import msgspec

from turnreel.adapters.fields import Fields, count, fields, items, text, texts
from turnreel.wire.units import Json


class Began(msgspec.Struct, frozen=True):
    """``message.start``: a turn begins."""


class Delta(msgspec.Struct, frozen=True):
    """``message.delta``: ``text``, a piece of commentary or answer."""

    text: str


class Calling(msgspec.Struct, frozen=True):
    """``tool.generating``: the present message calls a tool."""


class Interim(msgspec.Struct, frozen=True):
    """``message.interim``: ``text``, a whole message that is commentary."""

    text: str


class ToolStarted(msgspec.Struct, frozen=True):
    """``tool.start``: ``tool_id``, ``name``."""

    tool: str
    name: str


class ToolEnded(msgspec.Struct, frozen=True):
    """``tool.complete``: ``tool_id``, ``result``, ``todos``."""

    tool: str
    result: Json
    todos: list[Json]


class Approval(msgspec.Struct, frozen=True):
    """``approval.request``: ``command``, ``choices``."""

    command: str
    choices: tuple[str, ...]


class Question(msgspec.Struct, frozen=True):
    """``clarify.request``: ``question``, ``choices``, ``request_id``."""

    request: str
    question: str
    choices: tuple[str, ...]


class Credential(msgspec.Struct, frozen=True):
    """``sudo.request``, ``secret.request``: ``request_id``. What is asked for stays private."""

    request: str
    kind: str


class Expired(msgspec.Struct, frozen=True):
    """``sudo.expire``, ``secret.expire``: ``request_id``."""

    request: str


class Completed(msgspec.Struct, frozen=True):
    """``message.complete``: ``text``, ``status``. The only event that ends a turn as it should."""

    text: str
    status: str


class Failed(msgspec.Struct, frozen=True):
    """``error``: ``message``."""

    text: str


class ChildStarted(msgspec.Struct, frozen=True):
    """``subagent.start``: ``subagent_id`` or ``task_index``."""

    child: str


class ChildEnded(msgspec.Struct, frozen=True):
    """``subagent.complete``: ``subagent_id`` or ``task_index``, ``status``, ``summary``."""

    child: str
    status: str
    summary: str


class Known(msgspec.Struct, frozen=True):
    """An event of the dialect that says nothing about a turn: spinners, echoes, reasoning,
    notices for the screen.
    """


class Unknown(msgspec.Struct, frozen=True):
    """An event nobody described, or one whose shape is not the described one."""

    what: str


Event = (
    Began
    | Delta
    | Calling
    | Interim
    | ToolStarted
    | ToolEnded
    | Approval
    | Question
    | Credential
    | Expired
    | Completed
    | Failed
    | ChildStarted
    | ChildEnded
    | Known
    | Unknown
)


class Reply(msgspec.Struct, frozen=True):
    """An answer to a request of the client: ``id``, ``result.status``, or ``error``."""

    request: str
    status: str
    refused: bool


SILENT_FAMILIES = (
    "agent.", "background.", "browser.", "gateway.", "moa.", "notification.", "pet.", "preview.",
    "reasoning.", "session.", "skin.", "status.", "subagent.", "terminal.", "thinking.", "voice.",
)  # fmt: skip
"""Heads of events that say nothing about a turn, where no other meaning is listed."""

SILENT = frozenset({"reaction", "tool.output_risk"})


def read_event(event: str, payload: Fields) -> Event:
    """What an event says. Total."""
    tool = text(payload, "tool_id") or ""
    request = text(payload, "request_id") or ""
    match event:
        case "message.start":
            return Began()
        case "message.delta":
            return Delta(text(payload, "text") or "")
        case "tool.generating":
            return Calling()
        case "message.interim":
            return Interim(text(payload, "text") or "")
        case "tool.start" if tool:
            return ToolStarted(tool, text(payload, "name") or "")
        case "tool.complete" if tool:
            return ToolEnded(tool, payload.get("result"), items(payload, "todos"))
        case "message.complete":
            status = text(payload, "status") or "complete"
            return Completed(text(payload, "text") or "", status)
        case "error":
            return Failed(text(payload, "message") or "")
        case "approval.request":
            return Approval(text(payload, "command") or "", texts(payload, "choices"))
        case "clarify.request" if request:
            question = text(payload, "question") or ""
            return Question(request, question, texts(payload, "choices"))
        case "sudo.request" | "secret.request" if request:
            return Credential(request, event.partition(".")[0])
        case "sudo.expire" | "secret.expire" if request:
            return Expired(request)
        case "subagent.start":
            return ChildStarted(_child(payload))
        case "subagent.complete":
            summary = text(payload, "summary") or ""
            return ChildEnded(_child(payload), text(payload, "status") or "", summary)
        case _ if event in SILENT or event.startswith(SILENT_FAMILIES):
            return Known()
        case _:
            return Unknown(event)


def read_reply(value: Fields) -> Reply | None:
    """An answer to a request, or None for anything else."""
    number = value.get("id")
    if not isinstance(number, str | int) or "method" in value:
        return None
    refused = isinstance(value.get("error"), dict)
    return Reply(str(number), text(fields(value, "result"), "status") or "", refused)


def _child(payload: Fields) -> str:
    named = text(payload, "subagent_id") or text(payload, "child_session_id")
    return named or f"task {count(payload, 'task_index') or 0}"
