"""The way back: the requests a host sends for a session. There is no stop on this surface."""

from __future__ import annotations

from turnreel.adapters.hermes.requests import Request


def create(session: str) -> Request:
    """Make a session."""
    return Request("POST", "/api/sessions", {"id": session})


def message(session: str, text: str) -> Request:
    """Send a user message; the events of its turn answer it."""
    return Request("POST", f"/api/sessions/{session}/chat/stream", {"message": text})


def transcript(session: str) -> Request:
    """Read what a session holds. Its rows carry no run: they are no receipt (O5)."""
    return Request("GET", f"/api/sessions/{session}/messages")
