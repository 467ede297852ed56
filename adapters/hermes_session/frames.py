"""The typed view of the session stream: what the adapter reads of an event, and no more.

An event's name stands in its ``event`` line, not in its data. The flags ``completed``, ``partial``
and ``interrupted`` are constants of the program and are not read.
"""

from __future__ import annotations

from typing import Final

import msgspec

from turnreel.adapters.fields import Fields, items, text
from turnreel.wire.units import Json


class Started(msgspec.Struct, frozen=True):
    """``run.started``, ``message.started``: the agent is at work."""


class Delta(msgspec.Struct, frozen=True):
    """``assistant.delta``: ``delta``, a piece of commentary or answer."""

    text: str


class CallOver(msgspec.Struct, frozen=True):
    """``tool.progress`` of ``_thinking``: a model call ended. Its text is an echo and is not
    read.
    """


class ToolStarted(msgspec.Struct, frozen=True):
    """``tool.started``: ``tool_name``."""

    name: str


class ToolEnded(msgspec.Struct, frozen=True):
    """``tool.completed`` and ``tool.failed``: ``tool_name``. The first does not say how."""

    name: str
    failed: bool


class Answered(msgspec.Struct, frozen=True):
    """``assistant.completed``: ``content``, an answer or the text of an error."""

    text: str


class Completed(msgspec.Struct, frozen=True):
    """``run.completed``: ``messages``, the rows that this turn left in the transcript."""

    messages: list[Json]


class Failed(msgspec.Struct, frozen=True):
    """``error``: ``message``."""

    text: str


class Done(msgspec.Struct, frozen=True):
    """``done``: nothing follows. By itself it decides nothing."""


class Unknown(msgspec.Struct, frozen=True):
    """An event nobody described, or one whose shape is not the described one."""

    what: str


Event = (
    Started
    | Delta
    | CallOver
    | ToolStarted
    | ToolEnded
    | Answered
    | Completed
    | Failed
    | Done
    | Unknown
)

ECHO: Final = "_thinking"


def read(event: str, value: Json) -> Event:
    """What an event of this name says. Total."""
    if not isinstance(value, dict):
        return Unknown("not an event")
    return _read(event, value)


def _read(event: str, value: Fields) -> Event:
    tool = text(value, "tool_name") or ""
    match event:
        case "run.started" | "message.started":
            return Started()
        case "assistant.delta":
            return Delta(text(value, "delta") or "")
        case "tool.progress" if tool == ECHO:
            return CallOver()
        case "tool.started" if tool:
            return ToolStarted(tool)
        case "tool.completed" | "tool.failed" if tool:
            return ToolEnded(tool, failed=event == "tool.failed")
        case "assistant.completed":
            return Answered(text(value, "content") or "")
        case "run.completed":
            return Completed(items(value, "messages"))
        case "error":
            return Failed(text(value, "message") or "")
        case "done":
            return Done()
        case _:
            return Unknown(event)
