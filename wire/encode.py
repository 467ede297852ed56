"""Units back to bytes."""

from __future__ import annotations

from typing import Final

from .framer import UNIT_LIMIT
from .json_style import DEPTH_LIMIT, dump
from .sse_layout import lay_out
from .units import (
    BodyFraming,
    JsonUnit,
    LineFraming,
    SseFraming,
    TextUnit,
    TornClass,
    TornUnit,
    Unit,
)

FILLER_LIMIT: Final = 4 * UNIT_LIMIT
"""Bytes of filler made for one torn unit, whatever size it claims."""


def encode(unit: Unit) -> bytes:
    """The unit's bytes on the wire.

    Of a unit as a framer made it: exactly the bytes that arrived, except JSON of style ``other``,
    which comes as equal JSON, and torn units, which come as filler of the same size that a framer
    reads as torn in the same way (at most `FILLER_LIMIT` bytes; an SSE frame cannot be shorter than
    its fields).
    """
    match unit.framing:
        case SseFraming() as framing:
            if isinstance(unit, TornUnit):
                return _torn_event(unit, framing)
            return lay_out(framing, _content(unit).decode()).encode()
        case LineFraming(ending):
            return _content(unit) + ending.encode()
        case BodyFraming():
            return _content(unit)


def _content(unit: Unit) -> bytes:
    match unit:
        case JsonUnit():
            return dump(unit.value, unit.style)
        case TextUnit():
            return unit.text.encode(errors="replace")
        case TornUnit():
            return _filler(unit.cause, unit.size)


def _torn_event(unit: TornUnit, framing: SseFraming) -> bytes:
    bare = SseFraming(framing.event, framing.id, framing.retry)
    head = lay_out(bare, "")[:-2].encode()
    if unit.cause == "cut":
        size = min(unit.size, FILLER_LIMIT)
        return (head + _filler("cut", size))[:size]
    return head + _filler(unit.cause, unit.size - len(head) - 2) + b"\n\n"


def _filler(cause: TornClass, size: int) -> bytes:
    size = max(1, min(size, FILLER_LIMIT))
    match cause:
        case "json" | "cut":
            return b"{" + b"x" * (size - 1)
        case "utf8":
            return b"\xff" + b"x" * (size - 1)
        case "long":
            return b"x" * size
        case "deep":
            depth = max(size // 2, DEPTH_LIMIT + 1)
            return b"[" * depth + b" " * (size - 2 * depth) + b"]" * depth
