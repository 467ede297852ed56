"""The way back: what a client writes to the TUI gateway, as whole lines. `request` is a number or
name of the client's own choice, by which the gateway answers.
"""

from __future__ import annotations

from typing import Literal

from turnreel.wire.units import Json

Line = dict[str, Json]
Choice = Literal["once", "session", "always", "deny"]


def create(request: str) -> Line:
    """Make a session; the answer names it."""
    return _call(request, "session.create", {"cols": 80})


def resume(request: str, stored: str) -> Line:
    """Go on with a stored session; the answer holds its history."""
    return _call(request, "session.resume", {"session_id": stored, "cols": 80})


def message(request: str, session: str, text: str) -> Line:
    """Send a user message. While a turn runs it is queued, put into it, or interrupts it, as the
    gateway is set up.
    """
    return _call(request, "prompt.submit", {"session_id": session, "text": text})


def interrupt(request: str, session: str) -> Line:
    """Cancel the turn that runs."""
    return _call(request, "session.interrupt", {"session_id": session})


def approve(request: str, session: str, choice: Choice) -> Line:
    """Answer the approval that waits longest."""
    return _call(request, "approval.respond", {"session_id": session, "choice": choice})


def answer(request: str, question: str, text: str) -> Line:
    """Answer a clarifying question by its request id."""
    return _call(request, "clarify.respond", {"request_id": question, "answer": text})


def _call(request: str, method: str, params: Line) -> Line:
    return {"jsonrpc": "2.0", "id": request, "method": method, "params": params}
