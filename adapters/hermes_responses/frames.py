"""The typed view of Hermes' responses: what the adapter reads of an event, and no more.

The one message item holds all text of the turn, commentary and answer joined; what repeats it
whole (``output_text.done``, ``output_item.done``, ``response.output``) is read for a failure's code
alone, but where the response was not streamed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from turnreel.adapters.fields import Fields, count, fields, items, text
from turnreel.wire.units import Json


class Created(msgspec.Struct, frozen=True):
    """``response.created``: the agent is at work."""


class Delta(msgspec.Struct, frozen=True):
    """``response.output_text.delta``: ``delta``, a piece of commentary or answer."""

    text: str


class Called(msgspec.Struct, frozen=True):
    """``response.output_item.added`` of a ``function_call``: ``name``, ``call_id``."""

    tool: str
    name: str


class Returned(msgspec.Struct, frozen=True):
    """``response.output_item.added`` of a ``function_call_output``: ``call_id``, ``output``."""

    tool: str
    result: Json


class Completed(msgspec.Struct, frozen=True):
    """``response.completed``: ``usage.total_tokens``, and ``output`` for a failure's code."""

    tokens: int
    told: str


class Failed(msgspec.Struct, frozen=True):
    """``response.failed``: ``error.message``."""

    text: str


class Known(msgspec.Struct, frozen=True):
    """An event that repeats what others said."""


class Unknown(msgspec.Struct, frozen=True):
    """An event nobody described, or one whose shape is not the described one."""

    what: str


Event = Created | Delta | Called | Returned | Completed | Failed | Known | Unknown


def read(value: Json) -> Sequence[Event]:
    """What an event's data says, or in order all that a response says that was not streamed.
    Total.
    """
    if not isinstance(value, dict):
        return (Unknown("not an event"),)
    if value.get("object") == "response":
        return [*_whole(value)]
    return (_read(text(value, "type") or "", value),)


def _whole(response: Fields) -> Iterator[Event]:
    for item in items(response, "output"):
        if isinstance(item, dict) and item.get("type") == "message":
            yield Delta(_said(item))
        else:
            yield _added(item if isinstance(item, dict) else {})
    yield _over(response)


def _over(response: Fields) -> Event:
    if response.get("status") == "failed":
        return Failed(text(fields(response, "error"), "message") or "")
    tokens = count(fields(response, "usage"), "total_tokens") or 0
    return Completed(tokens, _told(response))


def _read(event: str, value: Fields) -> Event:
    response = fields(value, "response")
    match event:
        case "response.created":
            return Created()
        case "response.output_text.delta":
            return Delta(text(value, "delta") or "")
        case "response.output_item.added":
            return _added(fields(value, "item"))
        case "response.completed":
            return _over({**response, "status": "completed"})
        case "response.failed":
            return Failed(text(fields(response, "error"), "message") or "")
        case "response.output_item.done" | "response.output_text.done":
            return Known()
        case _:
            return Unknown(event)


def _added(item: Fields) -> Event:
    tool = text(item, "call_id")
    match item.get("type"):
        case "message":
            return Known()
        case "function_call":
            return Called(tool or "", text(item, "name") or "")
        case "function_call_output" if tool:
            return Returned(tool, _result(item.get("output")))
        case _:
            return Unknown("item")


def _result(output: Json) -> Json:
    """What a tool answered: one text, or a list of them."""
    if not isinstance(output, list):
        return output
    parts = [part.get("text") for part in output if isinstance(part, dict)]
    return parts[0] if len(parts) == 1 else None


def _told(response: Fields) -> str:
    """The text of the message item."""
    return "".join(
        _said(item)
        for item in items(response, "output")
        if isinstance(item, dict) and item.get("type") == "message"
    )


def _said(item: Fields) -> str:
    return "".join(text(part, "text") or "" for part in items(item, "content"))
