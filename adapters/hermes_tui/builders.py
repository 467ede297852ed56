"""Whole native lines as the TUI gateway prints them, for scripts, faults and tests."""

from __future__ import annotations

from typing import Final

from turnreel.wire.units import Json

Line = dict[str, Json]

SESSION: Final = "00000001"
ELSEWHERE: Final = "00000002"
PLAN_TOOL: Final = "todo"
STORED: Final = "20000101_000000_000001"
CHOICES: Final = ("once", "session", "always", "deny")
USAGE: Final[Line] = {
    "model": "scripted",
    **dict.fromkeys(
        (
            "input", "output", "reasoning", "prompt", "completion", "total", "calls",
            "compressions", "active_subagents", "context_used", "context_max", "context_percent",
        ),
        0,
    ),
}  # fmt: skip


def event(kind: str, payload: Json = None, session: str = SESSION) -> Line:
    """Any event."""
    params: Line = {"type": kind, "session_id": session}
    if payload is not None:
        params["payload"] = payload
    return {"jsonrpc": "2.0", "method": "event", "params": params}


def reply(request: str, status: str) -> Line:
    """The gateway takes a request."""
    return {"jsonrpc": "2.0", "id": request, "result": {"status": status}}


def resolved(request: str) -> Line:
    """The gateway takes an answer to an approval."""
    return {"jsonrpc": "2.0", "id": request, "result": {"resolved": 1}}


def refusal(request: str, message: str = "scripted") -> Line:
    """The gateway refuses a request."""
    return {"jsonrpc": "2.0", "id": request, "error": {"code": 4000, "message": message}}


def resumed(request: str, answer: str) -> Line:
    """A stored session goes on; the answer holds what was said in it (R6)."""
    history: list[Json] = [
        {"role": "user", "text": "Before."},
        {"role": "assistant", "text": answer},
    ]
    result: Line = {"session_id": SESSION, "resumed": STORED, "message_count": len(history)}
    return {"jsonrpc": "2.0", "id": request, "result": {**result, "messages": history}}


def started() -> Line:
    """A turn begins."""
    return event("message.start")


def delta(text: str) -> Line:
    """A piece of text."""
    return event("message.delta", {"text": text})


def reasoning(text: str) -> Line:
    """A piece of reasoning."""
    return event("reasoning.delta", {"text": text})


def echo(text: str) -> Line:
    """A model call ended; it said `text`."""
    return event("reasoning.available", {"text": text})


def generating(name: str) -> Line:
    """The present message calls a tool."""
    return event("tool.generating", {"name": name})


def interim(text: str) -> Line:
    """A whole message was commentary."""
    return event("message.interim", {"text": text, "already_streamed": True})


def tool_started(tool: str, name: str) -> Line:
    """A tool starts."""
    return event("tool.start", {"tool_id": tool, "name": name, "context": "scripted"})


def tool_completed(tool: str, name: str, result: Json) -> Line:
    """A tool returned."""
    told: Line = {"tool_id": tool, "name": name, "args": {}, "duration_s": 0.1, "result": result}
    return event("tool.complete", told)


def child_started(child: str) -> Line:
    """A subagent is at work."""
    return event("subagent.start", {"subagent_id": child, "task_index": 0, "goal": "scripted"})


def child_ended(child: str, status: str, summary: str) -> Line:
    """A subagent reported back."""
    told: Line = {"subagent_id": child, "task_index": 0, "status": status, "summary": summary}
    return event("subagent.complete", told)


def asks(command: str) -> Line:
    """The person is asked before a command runs."""
    why: Line = {"pattern_key": "scripted", "pattern_keys": ["scripted"], "description": "scripted"}
    choices = list[Json](CHOICES)
    told: Line = {"command": command, **why, "allow_permanent": True, "choices": choices}
    return event("approval.request", told)


def question(request: str, text: str, *choices: str) -> Line:
    """The person is asked for a detail."""
    told: Line = {"question": text, "choices": list[Json](choices), "request_id": request}
    return event("clarify.request", told)


def planned(tool: str, todos: list[Json]) -> Line:
    """The tool that keeps the plan returned."""
    told: Line = {"tool_id": tool, "name": PLAN_TOOL, "args": {}, "duration_s": 0.1}
    return event("tool.complete", {**told, "result": {"todos": todos}, "todos": todos})


def completed(text: str | None, status: str = "complete", session: str = SESSION) -> Line:
    """The turn is over."""
    told: Line = {"text": text, "usage": dict(USAGE), "status": status}
    return event("message.complete", told, session)
