"""The Responses API in its own words: error bodies, probes, and answers put together from their
events.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from turnreel.adapters.provider import read_body, whole_body
from turnreel.wire.units import Json, JsonUnit, Unit

from .builders import error_body
from .features import features


class OpenaiResponses:
    """A `Provider`."""

    def features(self, method: str, path: str, body: bytes) -> Json:
        return features(method, path, read_body(body))

    def error(self, status: int, message: str) -> JsonUnit:
        return whole_body(error_body(status, message))

    def whole(self, units: Iterable[Unit]) -> JsonUnit | None:
        """Streams repeat the answer's shell at their end, but not always its items."""
        items: dict[int, Json] = {}
        for unit in units:
            match unit.value if isinstance(unit, JsonUnit) else None:
                case {"type": "response.output_item.done", "output_index": int(at), "item": done}:
                    items[at] = done
                case {"type": "response.completed", "response": dict() as shell}:
                    output: list[Json] = [items[at] for at in sorted(items)]
                    return whole_body({**shell, "output": output or shell.get("output", [])})
        return None

    def probe(self, method: str, path: str) -> JsonUnit | None:
        if method == "HEAD":
            return whole_body({})
        if method == "GET" and path.partition("?")[0].endswith("/models"):
            return whole_body({"object": "list", "data": []})
        return None


PROVIDER: Final = OpenaiResponses()
