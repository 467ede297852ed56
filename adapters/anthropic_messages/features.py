"""By what a request is recognised again: its shape, and nothing of its content.

`features` is a pure function of the request as it was sent, computed alike when it is recorded
and when it is asked for again, so that a replayed answer finds the same step of the same
conversation. Texts, tool arguments, tool results and system prompts are not in it; tool ids are,
since they tell which step of a conversation asks.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from turnreel.adapters.fields import items, text
from turnreel.wire.units import Json


def features(method: str, path: str, body: Json) -> dict[str, Json]:
    """The features of a request. `path` may hold a query, which does not count; `body` is the
    parsed JSON, or None where there is none.

    ``history`` has one entry a message: its role and the kinds of its blocks, runs of one kind
    folded. ``results`` has the tool ids that the last message answers, in their order.
    """
    shape: dict[str, Json] = {"method": method.upper(), "path": urlsplit(path).path}
    if not isinstance(body, dict):
        return shape
    history = [_shape_of(message) for message in items(body, "messages")]
    shape["model"] = text(body, "model") or ""
    shape["stream"] = body.get("stream") is True
    shape["history"] = list[Json](history)
    shape["results"] = list[Json](_answered(items(body, "messages")))
    return shape


def _shape_of(message: Json) -> str:
    role = text(message, "role") or "?"
    kinds = [text(block, "type") or "?" for block in items(message, "content")]
    if not kinds and text(message, "content") is not None:
        kinds = ["text"]
    folded = [kind for place, kind in enumerate(kinds) if kinds[place - 1 : place] != [kind]]
    return " ".join([role, *folded])


def _answered(messages: list[Json]) -> list[str]:
    last = messages[-1] if messages else None
    return [
        tool
        for block in items(last, "content")
        if text(block, "type") == "tool_result" and (tool := text(block, "tool_use_id"))
    ]
