"""The way back: the requests a host sends. Hanging up is the only stop, and no cancel (T4)."""

from __future__ import annotations

from turnreel.adapters.hermes.requests import Request
from turnreel.wire.units import Json


def message(text: str, previous: str | None = None) -> Request:
    """Send a user message; the events of its turn answer it. `previous` is the response that it
    goes on from.
    """
    body: dict[str, Json] = {"model": "hermes-agent", "stream": True, "input": text}
    if previous is not None:
        body["previous_response_id"] = previous
    return Request("POST", "/v1/responses", body)


def snapshot(response: str) -> Request:
    """Read a stored response: what to ask when its events were lost."""
    return Request("GET", f"/v1/responses/{response}")
