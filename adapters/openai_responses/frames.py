"""The typed view of the Responses API: what the adapter reads of an answer, and no more.

An SSE event's data and a WebSocket message of the server are the same JSON.
"""

from __future__ import annotations

from typing import Final

import msgspec

from turnreel.adapters.fields import Fields, count, fields, text
from turnreel.wire.units import Json


class Created(msgspec.Struct, frozen=True):
    """``response.created``: the answer begins."""


class Item(msgspec.Struct, frozen=True):
    """``response.output_item.added`` or ``.done``: the id of a message or of reasoning. A tool
    call is known to the agent's stream by its ``call_id``.
    """

    id: str


class Complete(msgspec.Struct, frozen=True):
    """``response.completed`` or ``response.incomplete``: all there is was sent."""


class Failed(msgspec.Struct, frozen=True):
    """``response.failed``, ``error``, or an error body: its words, and the status that a WebSocket
    message gives beside them.
    """

    code: str
    kind: str
    status: int | None = None
    retry_after: bool = False


class Known(msgspec.Struct, frozen=True):
    """An event that does not change whether the answer is whole."""


class Unknown(msgspec.Struct, frozen=True):
    """An event nobody described."""

    what: str


Answer = Created | Item | Complete | Failed | Known | Unknown

KNOWN: Final = Known()
SILENT: Final = frozenset(
    {
        "response.in_progress", "response.queued", "response.content_part.added",
        "response.content_part.done", "response.output_text.delta", "response.output_text.done",
        "response.output_text.annotation.added", "response.refusal.delta",
        "response.refusal.done", "response.function_call_arguments.delta",
        "response.function_call_arguments.done", "response.custom_tool_call_input.delta",
        "response.custom_tool_call_input.done", "response.reasoning_summary_part.added",
        "response.reasoning_summary_part.done", "response.reasoning_summary_text.delta",
        "response.reasoning_summary_text.done", "response.reasoning_text.delta",
        "response.reasoning_text.done", "response.web_search_call.in_progress",
        "response.web_search_call.searching", "response.web_search_call.completed",
        "response.metadata", "keepalive",
    }
)  # fmt: skip


def read(value: Json) -> Answer:
    """What an event's data, a message, or a whole body says. Total."""
    if not isinstance(value, dict):
        return Unknown("not an event")
    match value.get("type"):
        case "response.created":
            return Created()
        case "response.output_item.added" | "response.output_item.done":
            return _item(fields(value, "item"))
        case "response.completed" | "response.incomplete":
            return Complete()
        case "response.failed":
            return _failed(fields(fields(value, "response"), "error"))
        case "error":
            after = "retry-after" in fields(value, "headers")
            return _failed(fields(value, "error") or value, count(value, "status"), after)
        case str(kind) if kind in SILENT:
            return KNOWN
        case str(kind):
            return Unknown(f"event {kind}"[:80])
        case _ if isinstance(value.get("error"), dict):
            return _failed(fields(value, "error"))
        case _ if value.get("object") == "response":
            return _whole(value)
        case _:
            return Unknown("event without a type")


def _item(item: Fields) -> Answer:
    kind, name = text(item, "type"), text(item, "id")
    return Item(name) if kind in ("message", "reasoning") and name else KNOWN


def _failed(error: Fields, status: int | None = None, after: bool = False) -> Failed:
    return Failed(text(error, "code") or "", text(error, "type") or "", status, after)


def _whole(value: Fields) -> Answer:
    """An answer that was not streamed."""
    if isinstance(value.get("error"), dict):
        return _failed(fields(value, "error"))
    return Complete()
