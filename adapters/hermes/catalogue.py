"""Hermes' own tools: which names may be shown, and of what kind they are (Y)."""

from __future__ import annotations

from typing import Final

from turnreel.lifecycle.events import ActivityKind

KINDS: Final[dict[str, ActivityKind]] = {
    "terminal": "command",
    "process": "command",
    "execute_code": "command",
    "read_file": "file_read",
    "write_file": "file_change",
    "patch": "file_change",
    "search_files": "search",
    "session_search": "search",
    "web_search": "web",
    "web_extract": "web",
    "browser_back": "web",
    "browser_click": "web",
    "browser_get_images": "web",
    "browser_navigate": "web",
    "browser_press": "web",
    "browser_scroll": "web",
    "browser_snapshot": "web",
    "browser_type": "web",
    "browser_vision": "web",
    "delegate_task": "subagent",
    "clarify": "question",
    "cronjob": "other",
    "image_generate": "other",
    "memory": "other",
    "skill_manage": "other",
    "skill_view": "other",
    "skills_list": "other",
    "text_to_speech": "other",
    "todo": "other",
    "vision_analyze": "other",
}
"""The allow-list."""

COMMAND_TOOLS: Final = frozenset({"terminal", "process", "execute_code"})
"""Tools whose calls the runtime may put to a person."""

MCP: Final = "mcp_"


def kind_of(name: str) -> ActivityKind:
    """The kind of activity a tool is."""
    return "mcp" if name.startswith(MCP) else KINDS.get(name, "other")


def shown(name: str) -> str:
    """The tool's name if anyone may see it, else its kind."""
    return name if name in KINDS else kind_of(name)
