"""The Chat Completions API in its own words: error bodies, probes, and answers put together from
their chunks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from turnreel.adapters.fields import Fields, fields, items, text
from turnreel.adapters.provider import Plain, read_body, whole_body
from turnreel.wire.units import Json, JsonUnit, Unit

from .builders import error_body
from .features import features


class OpenaiChat(Plain):
    """A `Provider`."""

    def features(self, method: str, path: str, body: bytes) -> Json:
        return features(method, path, read_body(body))

    def error(self, status: int, message: str) -> JsonUnit:
        return whole_body(error_body(status, message))

    def whole(self, units: Iterable[Unit]) -> JsonUnit | None:
        shell: Fields | None = None
        message: Fields = {"role": "assistant", "content": ""}
        reason: str | None = None
        for unit in units:
            value = unit.value if isinstance(unit, JsonUnit) else None
            if not isinstance(value, dict) or value.get("object") != "chat.completion.chunk":
                continue
            shell = {**(shell or {}), **value}
            for choice in items(value, "choices"):
                _grow(message, fields(choice, "delta"))
                reason = text(choice, "finish_reason") or reason
        if shell is None or reason is None:
            return None
        whole: Json = [{"index": 0, "message": message, "finish_reason": reason}]
        return whole_body({**shell, "object": "chat.completion", "choices": whole})

    def probe(self, method: str, path: str) -> JsonUnit | None:
        """Agents ask for models, versions and health before they ask a model."""
        if method == "HEAD":
            return whole_body({})
        if method == "GET" and path.partition("?")[0].endswith(("/models", "/tags")):
            return whole_body({"object": "list", "data": []})
        return None


PROVIDER: Final = OpenaiChat()


def _grow(message: Fields, delta: Fields) -> None:
    if (piece := text(delta, "content")) is not None:
        message["content"] = (text(message, "content") or "") + piece
    for called in items(delta, "tool_calls"):
        calls = message.setdefault("tool_calls", [])
        assert isinstance(calls, list), "nobody else writes this field"
        if (tool := text(called, "id")) is not None:
            name = text(fields(called, "function"), "name") or ""
            opened: Fields = {"id": tool, "type": "function"}
            calls.append({**opened, "function": {"name": name, "arguments": ""}})
        if calls and isinstance(last := calls[-1], dict):
            function = fields(last, "function")
            more = text(fields(called, "function"), "arguments") or ""
            function["arguments"] = (text(function, "arguments") or "") + more
