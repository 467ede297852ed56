"""The way back: the request a host sends. Hanging up is the only stop, and no cancel (T4)."""

from __future__ import annotations

from turnreel.adapters.hermes.requests import Request
from turnreel.wire.units import Json


def message(text: str) -> Request:
    """Send a user message; the chunks of its turn answer it. The header ``X-Hermes-Session-Id``
    names the session to go on with.
    """
    messages: list[Json] = [{"role": "user", "content": text}]
    body: dict[str, Json] = {"model": "hermes-agent", "stream": True, "messages": messages}
    return Request("POST", "/v1/chat/completions", body)
