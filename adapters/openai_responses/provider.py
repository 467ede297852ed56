"""The Responses API in its own words: error bodies, probes, and answers put together from their
events.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from turnreel.adapters.fields import text
from turnreel.adapters.provider import Plain, Told, read_body, whole_body
from turnreel.wire.units import Json, JsonUnit, Unit

from .builders import completed, created, error_body, error_type, refused
from .features import features, shape_of
from .forger import ENDS

CONTINUED: Final = "previous_response_id"
"""The field of a request that names the answer it continues."""
NOT_FOUND: Final = "previous_response_not_found"
"""Clients that are told this repeat the request in full."""
PREWARMED: Final = "resp_prewarmed"
"""What an answer is called that was made up to make ready for others."""


class OpenaiResponses(Plain):
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

    def continues(self, body: bytes) -> str | None:
        return text(read_body(body), CONTINUED)

    def continuing(self, body: bytes, name: str | None) -> bytes:
        said = read_body(body)
        if not isinstance(said, dict):
            return body
        kept = {field: value for field, value in said.items() if field != CONTINUED}
        return msgspec.json.encode(kept if name is None else {**kept, CONTINUED: name})

    def told(self, units: Iterable[Unit]) -> Told | None:
        """Items count that were finished: a client keeps and repeats no others."""
        name: str | None = None
        items: list[str] = []
        for unit in units:
            match unit.value if isinstance(unit, JsonUnit) else None:
                case {"type": "response.output_item.done", "item": dict() as done}:
                    items.append(shape_of(done))
                case {"response": {"id": str(name)}}:
                    pass
        return None if name is None else Told(name, tuple(items))

    def ends(self, unit: Unit) -> bool:
        kind = text(unit.value, "type") if isinstance(unit, JsonUnit) else None
        return kind == "error" or kind in ENDS

    def refusal(self, status: int, message: str, retry_after: float | None = None) -> JsonUnit:
        event = refused(status, error_type(status), message)
        if retry_after is not None:
            event["headers"] = {"retry-after": f"{retry_after:g}"}
        return whole_body(event)

    def unknown_answer(self) -> JsonUnit:
        return whole_body(
            refused(400, "previous_response_not_found", "Previous response not found")
        )

    def prewarmed(self, body: bytes) -> tuple[JsonUnit, ...]:
        said = read_body(body)
        if not isinstance(said, dict) or said.get("generate") is not False:
            return ()
        return whole_body(created(PREWARMED)), whole_body(completed(PREWARMED))


PROVIDER: Final = OpenaiResponses()
