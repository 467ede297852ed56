"""The way back: what a client writes to Hermes' ACP, as whole lines. `request` is a number or name
of the client's own choice, by which the agent answers.
"""

from __future__ import annotations

from turnreel.wire.units import Json

Line = dict[str, Json]


def initialize(request: str) -> Line:
    """The handshake of a client that lends the agent neither files nor terminals."""
    return _call(request, "initialize", {"protocolVersion": 1, "clientCapabilities": {}})


def create(request: str, folder: str) -> Line:
    """Make a session; the answer names it."""
    return _call(request, "session/new", {"cwd": folder, "mcpServers": []})


def load(request: str, session: str, folder: str) -> Line:
    """Go on with a session; its history comes as updates before the answer (R6)."""
    params: Line = {"sessionId": session, "cwd": folder, "mcpServers": []}
    return _call(request, "session/load", params)


def message(request: str, session: str, text: str) -> Line:
    """Send a user message; the answer ends its turn."""
    prompt: list[Json] = [{"type": "text", "text": text}]
    return _call(request, "session/prompt", {"sessionId": session, "prompt": prompt})


def cancel(session: str) -> Line:
    """Cancel the turn that runs."""
    return {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}}


def choose(asked: int | str, option: str) -> Line:
    """Answer a permission request with one of its options."""
    return _result(asked, {"outcome": "selected", "optionId": option})


def withdraw(asked: int | str) -> Line:
    """Say that the question will not be answered."""
    return _result(asked, {"outcome": "cancelled"})


def _call(request: str, method: str, params: Line) -> Line:
    return {"jsonrpc": "2.0", "id": request, "method": method, "params": params}


def _result(asked: int | str, outcome: Line) -> Line:
    return {"jsonrpc": "2.0", "id": asked, "result": {"outcome": outcome}}
