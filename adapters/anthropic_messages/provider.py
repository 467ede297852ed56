"""The Messages API in its own words: error bodies, probes, and messages put together from their
events.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Final

import msgspec

from turnreel.adapters.provider import Plain, read_body, whole_body
from turnreel.wire.units import Json, JsonUnit, Unit

from .builders import error_body
from .features import features

GROWN: Final = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}
"""The field of a delta that is appended to its block, by the delta's type."""


class AnthropicMessages(Plain):
    """A `Provider`."""

    def features(self, method: str, path: str, body: bytes) -> Json:
        return features(method, path, read_body(body))

    def error(self, status: int, message: str) -> JsonUnit:
        return whole_body(error_body(status, message))

    def whole(self, units: Iterable[Unit]) -> JsonUnit | None:
        message: dict[str, Json] | None = None
        blocks: dict[int, dict[str, Json]] = {}
        stopped = False
        for unit in units:
            value = unit.value if isinstance(unit, JsonUnit) else None
            match value:
                case {"type": "message_start", "message": dict() as start}:
                    message = copy.deepcopy(start)
                case {
                    "type": "content_block_start",
                    "index": int() as index,
                    "content_block": dict() as block,
                }:
                    blocks[index] = copy.deepcopy(block)
                case {
                    "type": "content_block_delta",
                    "index": int() as index,
                    "delta": dict() as delta,
                }:
                    _grow(blocks.setdefault(index, {}), delta)
                case {"type": "message_delta"} if isinstance(value, dict):
                    message = _changed(message or {}, value)
                case {"type": "message_stop"}:
                    stopped = True
        if message is None or not stopped:
            return None
        content: list[Json] = [_settled(blocks[index]) for index in sorted(blocks)]
        return whole_body({**message, "content": content})

    def probe(self, method: str, path: str) -> JsonUnit | None:
        if method == "HEAD":
            return whole_body({})
        return whole_body({"input_tokens": 1}) if path.endswith("/count_tokens") else None


PROVIDER: Final = AnthropicMessages()


def _grow(block: dict[str, Json], delta: dict[str, Json]) -> None:
    field = GROWN.get(str(delta.get("type")))
    piece = delta.get(field) if field else None
    if field and isinstance(piece, str):
        block[field] = str(block.get(field, "")) + piece


def _changed(message: dict[str, Json], change: dict[str, Json]) -> dict[str, Json]:
    """The message with what ``message_delta`` says of it: stop reason and final usage."""
    delta, usage, known = change.get("delta"), change.get("usage"), message.get("usage")
    message = {**message, **(delta if isinstance(delta, dict) else {})}
    if isinstance(usage, dict):
        message["usage"] = {**(known if isinstance(known, dict) else {}), **usage}
    return message


def _settled(block: dict[str, Json]) -> dict[str, Json]:
    """The block as a whole message holds it: tool input as JSON, not as the text of JSON."""
    text = block.pop("partial_json", None)
    if isinstance(text, str) and text:
        try:
            block["input"] = msgspec.json.decode(text)
        except msgspec.DecodeError:
            block["input"] = {}
    return block
