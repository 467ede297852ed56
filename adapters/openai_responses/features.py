"""By what a request is recognised again: its shape, and nothing of its content.

`features` is a pure function of the request as it was sent, computed alike when it is recorded
and when it is asked for again. Texts, tool arguments, tool results and instructions are not in it;
call ids are, since they tell which step of a conversation asks.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from turnreel.adapters.fields import items, text
from turnreel.wire.units import Json

OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})
"""Types of input items that answer a call."""


def features(method: str, path: str, body: Json) -> dict[str, Json]:
    """The features of a request. `path` may hold a query, which does not count; `body` is the
    parsed JSON, or None where there is none. A message that a client sends on a WebSocket has the
    same body.

    ``history`` has one entry an input item: its type, or a message's role and phase. ``results``
    has the call ids that the items at the end answer. A request that continues a response sends
    only what is new.
    """
    shape: dict[str, Json] = {"method": method.upper(), "path": urlsplit(path).path}
    if not isinstance(body, dict):
        return shape
    entries = items(body, "input")
    shape["model"] = text(body, "model") or ""
    shape["stream"] = body.get("stream") is True
    shape["history"] = [shape_of(entry) for entry in entries]
    shape["results"] = list[Json](_answered(entries))
    if body.get("generate") is False:  # a WebSocket's: it only makes ready for what comes
        shape["generate"] = False
    return shape


def shape_of(entry: Json) -> str:
    """What an item is in a history: its type, or a message's role and phase."""
    kind = text(entry, "type") or "message"
    if kind != "message":
        return kind
    return " ".join(w for w in (text(entry, "role") or "?", text(entry, "phase")) if w)


def _answered(entries: list[Json]) -> list[str]:
    found: list[str] = []
    for entry in reversed(entries):
        if text(entry, "type") not in OUTPUTS:
            break
        if call := text(entry, "call_id"):
            found.append(call)
    return found[::-1]
