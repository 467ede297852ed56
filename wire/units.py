"""Native units: the smallest things an agent or provider emits, parsed once and kept replayable.

A *unit* is one SSE event, one line of a stdio stream, one WebSocket message or one whole body.
Framers turn bytes into units and never raise on what the world sends: what cannot be parsed
becomes a `TornUnit` that remembers size and cause. `encode` turns a unit back into bytes; for a
unit that nobody changed these are the bytes that arrived.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

Style = Literal["compact", "spaced", "compact-ascii", "spaced-ascii", "other"]
"""How JSON was written: separators (``,:`` or ``, : ``) and whether non-ASCII was escaped.
``other`` means that no style reproduces the source; such a unit replays as equal JSON, not as
equal bytes.
"""

TornClass = Literal["utf8", "json", "cut", "long", "deep"]
"""Why a unit could not be read: invalid UTF-8, broken JSON where JSON was begun (``{`` or
``[``), ended by the end of the stream, longer than the bound, nested deeper than the bound.
"""


class LineFraming(msgspec.Struct, frozen=True):
    """A line of a stdio stream: `ending` is ``\\n``, ``\\r\\n`` or empty at the end of the
    stream.
    """

    ending: str = "\n"


class SseFraming(msgspec.Struct, frozen=True):
    """A server-sent event's fields beside its data.

    `layout` is the exact frame text with ``{event}``, ``{id}``, ``{retry}`` and ``{data}`` where
    a value stands, if it differs from the usual ``event: E\\ndata: D\\n\\n``; None means usual.
    It holds no value. What the standard tells readers to ignore (comments, unknown fields) is a
    text unit of its own whose layout has no field ``data``.
    """

    event: str | None = None
    id: str | None = None
    retry: int | None = None
    layout: str | None = None


class BodyFraming(msgspec.Struct, frozen=True):
    """A whole body or message: nothing around the data."""


Framing = LineFraming | SseFraming | BodyFraming


class JsonUnit(msgspec.Struct, frozen=True):
    """A unit whose data is JSON. `value` is shared: treat it as immutable."""

    value: Json
    framing: Framing
    style: Style = "compact"


class TextUnit(msgspec.Struct, frozen=True):
    """A unit that is text of no further form: a log line, an SSE comment or ``[DONE]``."""

    text: str
    framing: Framing


class TornUnit(msgspec.Struct, frozen=True):
    """A unit that could not be read. `size` is its length in bytes; its bytes are not kept."""

    size: int
    cause: TornClass
    framing: Framing


Unit = JsonUnit | TextUnit | TornUnit
