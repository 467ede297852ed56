"""By what a request is recognised again: its shape, and nothing of its content.

`features` is a pure function of the request as it was sent, computed alike when it is recorded
and when it is asked for again. Texts, tool arguments, tool results and system prompts are not in
it; call ids are, since they tell which step of a conversation asks.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from turnreel.adapters.fields import items, text
from turnreel.wire.units import Json


def features(method: str, path: str, body: Json) -> dict[str, Json]:
    """The features of a request. `path` may hold a query, which does not count; `body` is the
    parsed JSON, or None where there is none.

    ``history`` has one entry a message: its role, and ``calls`` where it calls tools. ``results``
    has the call ids that the messages at the end answer.
    """
    shape: dict[str, Json] = {"method": method.upper(), "path": urlsplit(path).path}
    if not isinstance(body, dict):
        return shape
    messages = items(body, "messages")
    shape["model"] = text(body, "model") or ""
    shape["stream"] = body.get("stream") is True
    shape["history"] = [_shape_of(message) for message in messages]
    shape["results"] = list[Json](_answered(messages))
    return shape


def _shape_of(message: Json) -> str:
    role = text(message, "role") or "?"
    return f"{role} calls" if items(message, "tool_calls") else role


def _answered(messages: list[Json]) -> list[str]:
    found: list[str] = []
    for message in reversed(messages):
        if text(message, "role") != "tool":
            break
        if call := text(message, "tool_call_id"):
            found.append(call)
    return found[::-1]
