"""The typed view of a run's events: what the adapter reads of one, and no more."""

from __future__ import annotations

import msgspec

from turnreel.adapters.fields import Fields, count, fields, is_true, text, texts
from turnreel.wire.units import Json


class Delta(msgspec.Struct, frozen=True):
    """``message.delta``: ``delta``, a piece of commentary or answer."""

    text: str


class CallOver(msgspec.Struct, frozen=True):
    """``reasoning.available``: a model call ended. Its text is an echo and is not read."""


class ToolStarted(msgspec.Struct, frozen=True):
    """``tool.started``: ``tool``."""

    name: str


class ToolEnded(msgspec.Struct, frozen=True):
    """``tool.completed``: ``tool``, ``error``."""

    name: str
    failed: bool


class Asks(msgspec.Struct, frozen=True):
    """``approval.request``: ``command``, ``choices``."""

    command: str
    choices: tuple[str, ...]


class Responded(msgspec.Struct, frozen=True):
    """``approval.responded``: ``choice``."""

    choice: str


class Completed(msgspec.Struct, frozen=True):
    """``run.completed``: ``output``, an answer or a notice."""

    output: str


class Failed(msgspec.Struct, frozen=True):
    """``run.failed``: ``error``."""

    text: str


class Cancelled(msgspec.Struct, frozen=True):
    """``run.cancelled``: stopped, by the host or by a gateway that shuts down."""


class Status(msgspec.Struct, frozen=True):
    """``hermes.run``, the answer to a question for the run: ``status``, ``output``, ``error``, and
    ``usage.total_tokens``.
    """

    status: str
    output: str
    error: str
    tokens: int


class Unknown(msgspec.Struct, frozen=True):
    """An event nobody described, or one whose shape is not the described one."""

    what: str


Event = (
    Delta
    | CallOver
    | ToolStarted
    | ToolEnded
    | Asks
    | Responded
    | Completed
    | Failed
    | Cancelled
    | Status
    | Unknown
)


def read(value: Json) -> Event:
    """What an event's data says. Total."""
    if not isinstance(value, dict):
        return Unknown("not an event")
    return _read(text(value, "event") or "", value)


def _read(event: str, value: Fields) -> Event:
    tool = text(value, "tool") or ""
    match event:
        case "message.delta":
            return Delta(text(value, "delta") or "")
        case "reasoning.available":
            return CallOver()
        case "tool.started" if tool:
            return ToolStarted(tool)
        case "tool.completed" if tool:
            return ToolEnded(tool, is_true(value, "error"))
        case "approval.request":
            return Asks(text(value, "command") or "", texts(value, "choices"))
        case "approval.responded":
            return Responded(text(value, "choice") or "")
        case "run.completed":
            return Completed(text(value, "output") or "")
        case "run.failed":
            return Failed(text(value, "error") or "")
        case "run.cancelled":
            return Cancelled()
        case "" if text(value, "object") == "hermes.run":
            tokens = count(fields(value, "usage"), "total_tokens") or 0
            said = text(value, "output") or "", text(value, "error") or ""
            return Status(text(value, "status") or "", *said, tokens)
        case _:
            return Unknown(event)
