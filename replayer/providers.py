"""What a replayed provider must say in its own words: error bodies, probes, whole messages.

One class a dialect; `provider(dialect)` finds it. What makes two requests the same step is the
dialect folder's own business and comes from there.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Final, Protocol

import msgspec

from turnreel.adapters.anthropic_messages.features import features as anthropic_features
from turnreel.wire.encode import encode
from turnreel.wire.units import BodyFraming, Json, JsonUnit, Unit


class Provider(Protocol):
    """A provider dialect, as the server needs it."""

    def features(self, method: str, path: str, body: bytes) -> Json:
        """What a request is recognised by, as it was recorded; None if the dialect has no such
        thing.
        """

    def error(self, status: int, message: str) -> tuple[Unit, bytes]:
        """An error body for `status` in the provider's shape, as unit and bytes."""

    def whole(self, units: Iterable[Unit]) -> Unit | None:
        """The body that the same step has when it is not streamed, from its streamed units; None
        if they do not hold a whole answer.
        """

    def probe(self, method: str, path: str) -> Unit | None:
        """The body for a request beside the conversation that needs no recording (a reachability
        check, a token count); None if the request is no such thing.
        """


class _Plain:
    """A provider nothing is known of."""

    def features(self, method: str, path: str, body: bytes) -> Json:
        return None

    def error(self, status: int, message: str) -> tuple[Unit, bytes]:
        return _body({"error": {"message": message}})

    def whole(self, units: Iterable[Unit]) -> Unit | None:
        return None

    def probe(self, method: str, path: str) -> Unit | None:
        return _body({})[0] if method == "HEAD" else None


class _AnthropicMessages:
    """The Messages API."""

    _TYPES: Final = {
        400: "invalid_request_error",
        401: "authentication_error",
        403: "permission_error",
        404: "not_found_error",
        413: "request_too_large",
        429: "rate_limit_error",
        529: "overloaded_error",
    }

    def features(self, method: str, path: str, body: bytes) -> Json:
        try:
            parsed = msgspec.json.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            parsed = None
        return anthropic_features(method, path, parsed)

    def error(self, status: int, message: str) -> tuple[Unit, bytes]:
        fallback = "api_error" if status >= 500 else "invalid_request_error"
        kind = self._TYPES.get(status, fallback)
        return _body({"type": "error", "error": {"type": kind, "message": message}})

    def whole(self, units: Iterable[Unit]) -> Unit | None:
        message: dict[str, Json] | None = None
        blocks: dict[int, dict[str, Json]] = {}
        stopped = False
        for unit in units:
            value = unit.value if isinstance(unit, JsonUnit) else None
            if not isinstance(value, dict):
                continue
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
                case {"type": "message_delta"}:
                    message = _changed(message or {}, value)
                case {"type": "message_stop"}:
                    stopped = True
        if message is None or not stopped:
            return None
        message["content"] = [_settled(blocks[index]) for index in sorted(blocks)]
        return _body(message)[0]

    def probe(self, method: str, path: str) -> Unit | None:
        if method == "HEAD":
            return _body({})[0]
        return _body({"input_tokens": 1})[0] if path.endswith("/count_tokens") else None


_PROVIDERS: Final[dict[str, Provider]] = {"anthropic-messages": _AnthropicMessages()}
_PLAIN: Final = _Plain()


def provider(dialect: str) -> Provider:
    """The provider of `dialect`; one that speaks plain JSON where the dialect is not known."""
    return _PROVIDERS.get(dialect, _PLAIN)


def _body(value: dict[str, Json]) -> tuple[Unit, bytes]:
    unit = JsonUnit(value, BodyFraming())
    return unit, encode(unit)


_GROWN: Final = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}
"""The field of a delta that is appended to its block, by the delta's type."""


def _grow(block: dict[str, Json], delta: dict[str, Json]) -> None:
    field = _GROWN.get(str(delta.get("type")))
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
