"""The way back: the requests a host sends for runs."""

from __future__ import annotations

from typing import Literal

from turnreel.adapters.hermes.requests import Request

Choice = Literal["once", "session", "always", "deny"]


def start(text: str, session: str | None = None) -> Request:
    """Start a run; the answer names it."""
    return Request("POST", "/v1/runs", {"input": text, "session_id": session})


def events(run: str) -> Request:
    """Listen to a run. Only one listener gets each event, and none gets it twice."""
    return Request("GET", f"/v1/runs/{run}/events")


def status(run: str) -> Request:
    """How a run stands: what to ask when its events were lost."""
    return Request("GET", f"/v1/runs/{run}")


def stop(run: str) -> Request:
    """Cancel a run."""
    return Request("POST", f"/v1/runs/{run}/stop")


def approve(run: str, choice: Choice) -> Request:
    """Answer the question that the run waits for."""
    return Request("POST", f"/v1/runs/{run}/approval", {"choice": choice})
