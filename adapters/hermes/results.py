"""What Hermes' tools answered: JSON of their own, whose typed words say how it went (T10)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from turnreel.adapters.fields import is_true, items, text
from turnreel.lifecycle.events import ActivityState, PlanItem, PlanState
from turnreel.wire.units import Json

BLOCKED: frozenset[str] = frozenset({"pending_approval", "approval_required", "blocked"})
"""``status`` of a result whose tool the runtime did not run (G7)."""

PLAN_STATES: dict[str, PlanState] = {
    "pending": "pending",
    "in_progress": "active",
    "completed": "done",
}

_decode: Callable[[str], Json] = msgspec.json.Decoder().decode


def outcome(result: Json) -> ActivityState:
    """How a tool ended by its result, an object or the source of one. What is no object says
    nothing.
    """
    match parsed(result):
        case {"status": str(status)} if status in BLOCKED:
            return "declined"
        case {"exit_code": int(code)} if code != 0:
            return "failed"
        case {"success": False}:
            return "failed"
        case {"error": str(error)} if error:
            return "failed"
        case {"error": True}:
            return "failed"
        case dict():
            return "ok"
        case _:
            return "unknown"


def parsed(result: Json) -> Json:
    """`result`, or the JSON that it is the source of."""
    if not isinstance(result, str):
        return result
    try:
        return _decode(result)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None


def plan(todos: list[Json]) -> tuple[PlanItem, ...]:
    """The plan that ``todos`` hold; cancelled entries are none of it."""
    return tuple(
        PlanItem(text=content, state=PLAN_STATES[status])
        for todo in todos
        if (content := text(todo, "content")) and (status := text(todo, "status")) in PLAN_STATES
    )


def rows_of_tools(messages: list[Json]) -> list[tuple[str, Json]]:
    """Name and result of each tool row of a transcript, in order."""
    return [
        (text(row, "tool_name") or "", row.get("content"))
        for row in messages
        if isinstance(row, dict) and row.get("role") == "tool"
    ]


def answers(messages: list[Json]) -> dict[str, Json] | None:
    """The last row of a transcript if it is an assistant's that calls no tool."""
    last = messages[-1] if messages else None
    if not isinstance(last, dict) or last.get("role") != "assistant":
        return None
    return None if items(last, "tool_calls") or is_true(last, "tool_calls") else last
