"""Reads what a host writes to Claude Code's stdin: JSON in, the typed view of `frames` out.

Total, as `grammar` is. `commands` writes the same frames.
"""

from __future__ import annotations

from typing import Literal

from turnreel.adapters.fields import Fields, fields, is_true, text

from .frames import Answer, InFrame, Interrupt, Prompt, StopTask, Unknown
from .grammar import KNOWN


def read_in(value: Fields) -> InFrame:
    """What a JSON object written by the host says."""
    match value:
        case {"type": "user", "message": {"role": "user"}}:
            return Prompt(text(value, "uuid"))
        case {"type": "control_request", "request": {"subtype": "interrupt"}}:
            return Interrupt()
        case {"type": "control_request", "request": {"subtype": "stop_task", "task_id": str(task)}}:
            return StopTask(task)
        case {"type": "control_response", "response": {"request_id": str(request)}}:
            return _answer(request, fields(value, "response"))
        case {"type": "control_request" | "control_response" | "keep_alive" | "user"}:
            return KNOWN
        case _:
            return Unknown("host frame")


def _answer(request: str, response: Fields) -> Answer:
    verdict: Literal["allowed", "denied", "withdrawn"]
    inner = fields(response, "response")
    match response.get("subtype"), inner.get("behavior", inner.get("action")):
        case "success", "allow" | "accept" | "completed":
            verdict = "allowed"
        case "success", "deny" | "decline":
            verdict = "denied"
        case _:  # a protocol error, a cancel, or nothing readable: nobody answered (G7)
            verdict = "withdrawn"
    return Answer(request, verdict, is_true(inner, "interrupt"))
