"""The typed view of the Messages API: what the adapter reads of an answer, and no more."""

from __future__ import annotations

from typing import Final

import msgspec

from turnreel.adapters.fields import Fields, fields, text
from turnreel.wire.units import Json


class Started(msgspec.Struct, frozen=True):
    """``message_start``: ``message.id``."""

    message: str


class Complete(msgspec.Struct, frozen=True):
    """``message_delta`` with a stop reason: all content was sent. `whole` is set for an answer
    that was not streamed: its ``id``.
    """

    whole: str | None = None


class Closed(msgspec.Struct, frozen=True):
    """``message_stop``."""


class Failed(msgspec.Struct, frozen=True):
    """``error``: ``error.type``."""

    kind: str


class Known(msgspec.Struct, frozen=True):
    """An event that does not change whether the answer is whole."""


class Unknown(msgspec.Struct, frozen=True):
    """An event nobody described."""

    what: str


Answer = Started | Complete | Closed | Failed | Known | Unknown

KNOWN: Final = Known()
SILENT: Final = frozenset(
    {"ping", "content_block_start", "content_block_delta", "content_block_stop"}
)


def read(value: Json) -> Answer:
    """What an event's data, or a whole body, says. Total."""
    if not isinstance(value, dict):
        return Unknown("not an event")
    kind = value.get("type")
    if not isinstance(kind, str):
        return Unknown("event without a type")
    if kind in SILENT:
        return KNOWN
    return _read(kind, value)


def _read(kind: str, value: Fields) -> Answer:
    match kind:
        case "message_start":
            message = text(fields(value, "message"), "id")
            return Started(message) if message else Unknown("message_start without an id")
        case "message_delta":
            return Complete() if text(fields(value, "delta"), "stop_reason") else KNOWN
        case "message_stop":
            return Closed()
        case "message":
            return Complete(text(value, "id") or "")
        case "error":
            return Failed(text(fields(value, "error"), "type") or "")
        case _:
            return Unknown(f"event {kind}"[:80])
