"""Whole native lines as Hermes prints them over ACP, for scripts, faults and tests."""

from __future__ import annotations

from typing import Final

from turnreel.wire.units import Json

Line = dict[str, Json]

SESSION: Final = "00000000-0000-4000-8000-000000000001"
OPTIONS: Final = ("allow_once", "allow_session", "allow_always", "deny", "deny_always")


def update(kind: str, fields: Line, session: str = SESSION) -> Line:
    """Any update."""
    params: Line = {"sessionId": session, "update": {**fields, "sessionUpdate": kind}}
    return {"jsonrpc": "2.0", "method": "session/update", "params": params}


def chunk(text: str, kind: str = "agent_message_chunk") -> Line:
    """A piece of text, or of a thought."""
    return update(kind, {"content": {"type": "text", "text": text}})


def tool_started(tool: str, name: str) -> Line:
    """A tool starts."""
    fields: Line = {"toolCallId": tool, "title": f"{name}: scripted", "kind": "execute"}
    return update("tool_call", {"content": [], **fields, "locations": []})


def tool_ended(tool: str, status: str) -> Line:
    """A tool returned."""
    fields: Line = {"content": [], "kind": "execute", "status": status, "toolCallId": tool}
    return update("tool_call_update", fields)


def planned(todos: list[Json]) -> Line:
    """The plan as it now stands."""
    fields = ("content", "status")
    entries: list[Json] = [
        {**{name: one[name] for name in fields}, "priority": "medium"}
        for one in todos
        if isinstance(one, dict)
    ]
    return update("plan", {"entries": entries})


def asks(request: int, command: str) -> Line:
    """The person is asked before a command runs."""
    options: list[Json] = [{"optionId": name, "name": name, "kind": name} for name in OPTIONS]
    call: Line = {
        "content": [],
        "kind": "execute",
        "rawInput": {"command": command, "description": "scripted"},
        "status": "pending",
        "title": "terminal: scripted",
        "toolCallId": "perm-check-1",
    }
    params: Line = {"sessionId": SESSION, "options": options, "toolCall": call}
    return {
        "jsonrpc": "2.0",
        "id": request,
        "method": "session/request_permission",
        "params": params,
    }


def loaded(request: str) -> Line:
    """The history of a session was told."""
    return {"jsonrpc": "2.0", "id": request, "result": {"models": {}, "modes": {}}}


def ended(request: str, stop: str = "end_turn", *, counted: bool = True) -> Line:
    """The turn is over; `counted` says that the model answered."""
    result: Line = {"stopReason": stop}
    if counted:
        tokens: Line = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
        result["usage"] = {"cachedReadTokens": 0, "thoughtTokens": 0, **tokens}
    return {"jsonrpc": "2.0", "id": request, "result": result}


def failed(request: str, message: str = "Internal error") -> Line:
    """The turn raised."""
    return {"jsonrpc": "2.0", "id": request, "error": {"code": -32603, "message": message}}
