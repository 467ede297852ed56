"""What both of Codex' own streams call things by: items that are activities, and their states.

The app-server spells item types and states in camelCase, ``exec --json`` in snake_case; the words
are the same. Nothing else is shared but the fixed strings of `codex_literals`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from turnreel.lifecycle.events import ActivityKind, ActivityState, PlanState
from turnreel.wire.units import Json

from .fields import text

ITEMS: Final[dict[str, ActivityKind]] = {
    "commandExecution": "command",
    "fileChange": "file_change",
    "mcpToolCall": "mcp",
    "dynamicToolCall": "other",
    "collabAgentToolCall": "subagent",
    "subAgentActivity": "subagent",
    "webSearch": "web",
    "imageView": "file_read",
    "imageGeneration": "other",
    "sleep": "other",
}
"""Item types of the app-server that are activities. The type is the only tool name the streams
tell, and it is public: it is the activity's name.
"""

EXEC_ITEMS: Final[dict[str, ActivityKind]] = {
    "command_execution": "command",
    "file_change": "file_change",
    "mcp_tool_call": "mcp",
    "collab_tool_call": "subagent",
    "web_search": "web",
}
"""The same of ``exec --json``."""

STATES: Final[dict[str, ActivityState]] = {
    "completed": "ok",
    "failed": "failed",
    "declined": "declined",
    "interrupted": "cancelled",
}
"""``status`` of a completed item (T10). A command that exits with an error is ``failed``."""

NAMES: Final = frozenset((*ITEMS, *EXEC_ITEMS))
"""Names that the policies let through."""

UNFLAGGED: Final = frozenset({"webSearch", "imageView", "sleep", "web_search"})
"""Items without a ``status``: they have no way to say that they failed, so that their completion
proves nothing.
"""

PLAN_STATES: Final[dict[str, PlanState]] = {
    "pending": "pending",
    "inProgress": "active",
    "completed": "done",
}
"""``status`` of a plan's step."""


def flagged(items: Mapping[str, ActivityKind]) -> dict[str, ActivityKind]:
    """Those items whose completion says how they went; scripts call no other."""
    return {name: kind for name, kind in items.items() if name not in UNFLAGGED}


def state_of(item: Json) -> ActivityState:
    """The state that a completed item closes in. Without a status that proves success it is unknown
    (T10); a call whose answer is an error did not work, whatever its status: ``success`` of a tool
    of the host, ``error`` of one of an MCP server.
    """
    state = STATES.get(text(item, "status") or "", "unknown")
    match item:
        case {"success": False} | {"error": dict()} if state == "ok":
            return "failed"
        case _:
            return state
