"""Sans-I/O framing: bytes to units and back.

Framers take bytes in any chunking and yield units; `encode` gives the bytes back. Everything here
is total over what the world sends, bounded in memory, and free of clocks, sockets and files. What a
unit *means* is never decided here: no dialect, no event name, no secret is known to this room.
"""

from .body import BodyFramer
from .encode import encode
from .errors import TurnreelError
from .framer import UNIT_LIMIT, Framer
from .json_style import DEPTH_LIMIT
from .media import framer_for
from .ndjson import LineFramer
from .sse import SseFramer
from .units import (
    BodyFraming,
    Framing,
    Json,
    JsonUnit,
    LineFraming,
    SseFraming,
    Style,
    TextUnit,
    TornClass,
    TornUnit,
    Unit,
)

__all__ = [
    "DEPTH_LIMIT",
    "UNIT_LIMIT",
    "BodyFramer",
    "BodyFraming",
    "Framer",
    "Framing",
    "Json",
    "JsonUnit",
    "LineFramer",
    "LineFraming",
    "SseFramer",
    "SseFraming",
    "Style",
    "TextUnit",
    "TornClass",
    "TornUnit",
    "TurnreelError",
    "Unit",
    "encode",
    "framer_for",
]
