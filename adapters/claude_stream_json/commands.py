"""The way back: what a host writes to Claude Code's stdin, as whole frames.

Each gives one JSON object to be written as one line. `request` is the native request id: of the
agent's question where it is answered, of the host's own choice where the host asks.
"""

from __future__ import annotations

from collections.abc import Mapping

from turnreel.wire.units import Json

Line = dict[str, Json]


def message(text: str, uuid: str | None = None) -> Line:
    """A user message. Sent again with the same uuid it is the same message."""
    line: Line = {
        "type": "user",
        "message": {"role": "user", "content": text},
        "parent_tool_use_id": None,
        "session_id": "",
    }
    return line if uuid is None else {**line, "uuid": uuid}


def initialize(request: str) -> Line:
    """The handshake of a host that wants the control protocol."""
    return _control(request, {"subtype": "initialize"})


def interrupt(request: str) -> Line:
    """Cancel the turn that runs; messages that wait stay queued."""
    return _control(request, {"subtype": "interrupt"})


def interrupt_all(request: str) -> Line:
    """Cancel the turn that runs and the messages that wait."""
    return _control(request, {"subtype": "interrupt", "cancel_queued": True})


def stop_task(request: str, task: str) -> Line:
    """Stop one child agent or background command."""
    return _control(request, {"subtype": "stop_task", "task_id": task})


def allow(request: str, arguments: Mapping[str, Json]) -> Line:
    """Approve a tool call, with the arguments it may run with."""
    return _answer(request, {"behavior": "allow", "updatedInput": dict(arguments)})


def deny(request: str, reason: str) -> Line:
    """Decline a tool call; the model reads `reason`."""
    return _answer(request, {"behavior": "deny", "message": reason})


def deny_and_stop(request: str, reason: str) -> Line:
    """Decline a tool call and cancel the turn."""
    return _answer(request, {"behavior": "deny", "message": reason, "interrupt": True})


def answer(request: str, questions: list[Json], answers: Mapping[str, str]) -> Line:
    """Answer questions: the label chosen for each question's text."""
    chosen: dict[str, Json] = dict(answers)
    given: Line = {"questions": questions, "answers": chosen}
    return _answer(request, {"behavior": "allow", "updatedInput": given})


def fail(request: str, reason: str) -> Line:
    """Say that the question could not be put to anyone."""
    response: Line = {"subtype": "error", "request_id": request, "error": reason}
    return {"type": "control_response", "response": response}


def _control(request: str, inner: Line) -> Line:
    return {"type": "control_request", "request_id": request, "request": inner}


def _answer(request: str, inner: Line) -> Line:
    response: Line = {"subtype": "success", "request_id": request, "response": inner}
    return {"type": "control_response", "response": response}
