"""The typed view of the Chat Completions API: what the adapter reads of an answer, and no more."""

from __future__ import annotations

from typing import Final

import msgspec

from turnreel.adapters.fields import Fields, fields, items, text
from turnreel.wire.units import Json

DONE: Final = "[DONE]"
"""The text that ends a stream: a client reads on until it comes."""


class Chunk(msgspec.Struct, frozen=True):
    """``chat.completion.chunk``: ``id``. `complete` says that a choice gave its
    ``finish_reason``.
    """

    message: str
    complete: bool


class Whole(msgspec.Struct, frozen=True):
    """``chat.completion``, an answer that was not streamed."""


class Failed(msgspec.Struct, frozen=True):
    """``error``: ``error.type`` and ``error.code``."""

    kind: str
    code: str


class Known(msgspec.Struct, frozen=True):
    """An answer to another question: models, probes."""


class Unknown(msgspec.Struct, frozen=True):
    """An event nobody described."""

    what: str


Answer = Chunk | Whole | Failed | Known | Unknown

KNOWN: Final = Known()
OTHER: Final = frozenset({"list", "model"})
"""``object`` of what is no answer of a model."""


def read(value: Json) -> Answer:
    """What an event's data, or a whole body, says. Total."""
    if not isinstance(value, dict):
        return Unknown("not an event")
    match value:
        case {"error": dict(error)}:
            return Failed(text(error, "type") or "", text(error, "code") or "")
        case {"object": "chat.completion.chunk"}:
            return Chunk(text(value, "id") or "", _is_complete(value))
        case {"object": "chat.completion"}:
            return Whole()
        case {"object": str(other)} if other in OTHER:
            return KNOWN
        case _:
            return Unknown("event")


def _is_complete(value: Fields) -> bool:
    return any(text(choice, "finish_reason") for choice in items(value, "choices")) and not fields(
        value, "error"
    )
