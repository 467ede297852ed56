"""The typed view of Hermes' chat completions: what the adapter reads of a chunk, and no more."""

from __future__ import annotations

from typing import Final

import msgspec

from turnreel.adapters.fields import Fields, fields, items, text
from turnreel.lifecycle.observations import StopKind
from turnreel.wire.units import Json


class Role(msgspec.Struct, frozen=True):
    """``choices[0].delta.role``: the answer begins."""


class Delta(msgspec.Struct, frozen=True):
    """``choices[0].delta.content``: a piece of commentary or answer."""

    text: str


class ToolMoves(msgspec.Struct, frozen=True):
    """``hermes.tool.progress``: ``tool``, ``toolCallId``, ``status``. It does not say how a tool
    ended.
    """

    tool: str
    name: str
    starts: bool


class Finished(msgspec.Struct, frozen=True):
    """``choices[0].finish_reason``, with ``error.message`` and ``hermes.error_code``."""

    reason: str
    error: str
    code: str


class Whole(msgspec.Struct, frozen=True):
    """``chat.completion``, an answer that was not streamed: ``choices[0].message.content`` with
    ``finish_reason``.
    """

    text: str
    finished: Finished


class Refused(msgspec.Struct, frozen=True):
    """A body with nothing but ``error``."""


class Unknown(msgspec.Struct, frozen=True):
    """A chunk nobody described, or one whose shape is not the described one."""

    what: str


Event = Role | Delta | ToolMoves | Finished | Whole | Refused | Unknown

STOPS: Final[dict[str, StopKind]] = {"stop": "ends", "length": "limited"}
"""``finish_reason``; any other is a failure."""

CHUNK: Final = "chat.completion.chunk"
WHOLE: Final = "chat.completion"


def read(value: Json) -> Event:
    """What a chunk's data says. Total."""
    if not isinstance(value, dict):
        return Unknown("not a chunk")
    match value:
        case {"tool": str(name), "status": "running" | "completed" as at}:
            return ToolMoves(text(value, "toolCallId") or "", name, at == "running")
        case {"object": "chat.completion.chunk" | "chat.completion"}:
            return _choice(value)
        case {"error": dict()}:
            return Refused()
        case _:
            return Unknown(text(value, "object") or "event")


def _choice(value: Fields) -> Event:
    choices = items(value, "choices")
    choice = choices[0] if choices else None
    if not isinstance(choice, dict):
        return Unknown("chunk without a choice")
    reason = text(choice, "finish_reason")
    finished = Finished(
        reason or "",
        text(fields(value, "error"), "message") or text(fields(value, "hermes"), "error") or "",
        text(fields(value, "hermes"), "error_code") or "",
    )
    if value.get("object") == WHOLE:
        return Whole(text(fields(choice, "message"), "content") or "", finished)
    if reason is not None:
        return finished
    delta = fields(choice, "delta")
    if (content := text(delta, "content")) is not None:
        return Delta(content)
    return Role() if "role" in delta else Unknown("chunk without content")
