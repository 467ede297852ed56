"""The typed view of Hermes' ACP: what the adapter reads of a line, and no more."""

from __future__ import annotations

import msgspec

from turnreel.adapters.fields import Fields, fields, items, text
from turnreel.lifecycle.events import PlanItem
from turnreel.wire.units import Json

from . import titles


class Delta(msgspec.Struct, frozen=True):
    """``agent_message_chunk``: ``content.text``, a piece of commentary, answer or error."""

    text: str


class ToolStarted(msgspec.Struct, frozen=True):
    """``tool_call``: ``toolCallId``, ``title``, ``kind``."""

    tool: str
    name: str


class ToolEnded(msgspec.Struct, frozen=True):
    """``tool_call_update``: ``toolCallId``, ``status``."""

    tool: str
    status: str


class Plans(msgspec.Struct, frozen=True):
    """``plan``: ``entries``."""

    items: tuple[PlanItem, ...]


class Asks(msgspec.Struct, frozen=True):
    """Request ``session/request_permission``: ``id``, ``toolCall.rawInput.command``,
    ``options``.
    """

    request: str
    command: str
    options: tuple[str, ...]


class Ended(msgspec.Struct, frozen=True):
    """The answer to ``session/prompt``: ``result.stopReason``, ``result.usage``, or ``error``.
    A turn without usage had no answer of the model.
    """

    request: str
    stop: str
    counted: bool
    failed: bool


class Known(msgspec.Struct, frozen=True):
    """A message that says nothing about a turn: thoughts, titles, the history of a session."""


class Unknown(msgspec.Struct, frozen=True):
    """A message nobody described, or one whose shape is not the described one."""

    what: str


Printed = Delta | ToolStarted | ToolEnded | Plans | Asks | Ended | Known | Unknown

SILENT = frozenset(
    {
        "agent_thought_chunk", "user_message_chunk", "available_commands_update",
        "current_mode_update", "session_info_update", "usage_update", "config_option_update",
    }
)  # fmt: skip
"""Updates that say nothing about a turn."""

ASIDE = frozenset(
    {
        "fs/read_text_file", "fs/write_text_file", "terminal/create", "terminal/output",
        "terminal/wait_for_exit", "terminal/kill", "terminal/release",
    }
)  # fmt: skip
"""What an agent of the protocol may ask its client to do for it; the tool's own updates tell it."""


def read_out(value: Fields) -> Printed:
    """What a line of the agent says. Total."""
    match value:
        case {"method": "session/update"}:
            return _update(fields(fields(value, "params"), "update"))
        case {"method": "session/request_permission", "id": str() | int() as number}:
            return _asks(str(number), fields(value, "params"))
        case {"method": str(name)} if name in ASIDE:
            return Known()
        case {"method": _}:
            return Unknown("method")
        case {"id": str() | int() as number, "result": dict(result)}:
            counted = isinstance(result.get("usage"), dict)
            return Ended(str(number), text(result, "stopReason") or "", counted, failed=False)
        case {"id": str() | int() as number, "error": dict()}:
            return Ended(str(number), "", counted=False, failed=True)
        case _:
            return Unknown("line")


def session_of(value: Json) -> str:
    """The session that a message names."""
    return text(fields(value, "params"), "sessionId") or ""


def _update(update: Fields) -> Printed:
    tool = text(update, "toolCallId")
    match update.get("sessionUpdate"):
        case "agent_message_chunk":
            return Delta(text(fields(update, "content"), "text") or "")
        case "tool_call":  # it began, whether or not its end can be told apart from another's
            title, kind = text(update, "title") or "", text(update, "kind") or ""
            return ToolStarted(tool or "", titles.tool_of(title, kind))
        case "tool_call_update" if tool:
            return ToolEnded(tool, text(update, "status") or "")
        case "plan":
            return Plans(_plan(items(update, "entries")))
        case str(other) if other in SILENT:
            return Known()
        case other:
            return Unknown(f"update {other}")


def _plan(entries: list[Json]) -> tuple[PlanItem, ...]:
    steps: list[PlanItem] = []
    for entry in entries:
        match entry:
            case {"content": str(step), "status": "pending"}:
                steps.append(PlanItem(step, "pending"))
            case {"content": str(step), "status": "in_progress"}:
                steps.append(PlanItem(step, "active"))
            case {"content": str(step), "status": "completed"}:
                steps.append(PlanItem(step, "done"))
    return tuple(steps)


def _asks(request: str, params: Fields) -> Asks:
    command = text(fields(fields(params, "toolCall"), "rawInput"), "command") or ""
    options = tuple(
        name for option in items(params, "options") if (name := text(option, "optionId"))
    )
    return Asks(request, command, options)


class Prompt(msgspec.Struct, frozen=True):
    """``session/prompt``: ``id``, ``sessionId``."""

    request: str


class Cancel(msgspec.Struct, frozen=True):
    """``session/cancel``: ``sessionId``."""


class Answer(msgspec.Struct, frozen=True):
    """The answer to a permission request: ``result.outcome.outcome``, ``.optionId``. A protocol
    error answers nothing (G7).
    """

    request: str
    option: str | None


class Other(msgspec.Struct, frozen=True):
    """Anything else the client wrote."""


Written = Prompt | Cancel | Answer | Other


def read_in(value: Json) -> Written:
    """What a line of the client says. Total."""
    match value:
        case {"method": "session/prompt", "id": str() | int() as number}:
            return Prompt(str(number))
        case {"method": "session/cancel"}:
            return Cancel()
        case {"id": str() | int() as number, **rest} if "method" not in rest:
            outcome = fields(fields(value, "result"), "outcome")
            chosen = text(outcome, "outcome") == "selected"
            return Answer(str(number), text(outcome, "optionId") if chosen else None)
        case _:
            return Other()
