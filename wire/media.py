"""Which framer reads a body, by its media type."""

from __future__ import annotations

from .body import BodyFramer
from .framer import UNIT_LIMIT, Framer
from .ndjson import LineFramer
from .sse import SseFramer

_LINES = {
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/x-jsonlines",
}


def framer_for(media_type: str | None, limit: int = UNIT_LIMIT) -> Framer:
    """The framer for a body of this content type (parameters are ignored). Unknown types and None
    are whole bodies.
    """
    essence = (media_type or "").partition(";")[0].strip().lower()
    if essence == "text/event-stream":
        return SseFramer(limit)
    if essence in _LINES:
        return LineFramer(limit)
    return BodyFramer(limit)
