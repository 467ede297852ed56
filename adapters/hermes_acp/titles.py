"""Which tool a call's title speaks of: ACP gives no name, and the rest of a title is private."""

from __future__ import annotations

from typing import Final

TITLES: Final[dict[str, str]] = {
    "terminal: ": "terminal",
    "process ": "process",
    "python: ": "execute_code",
    "python code": "execute_code",
    "read: ": "read_file",
    "write: ": "write_file",
    "patch (": "patch",
    "search: ": "search_files",
    "session search: ": "session_search",
    "recent sessions": "session_search",
    "web search: ": "web_search",
    "extract: ": "web_extract",
    "web extract": "web_extract",
    "navigate: ": "browser_navigate",
    "browser snapshot": "browser_snapshot",
    "browser vision: ": "browser_vision",
    "browser images": "browser_get_images",
    "delegate": "delegate_task",
    "clarify": "clarify",
    "todo": "todo",
    "memory ": "memory",
    "skill view (": "skill_view",
    "skills list": "skills_list",
    "skill ": "skill_manage",
    "analyze image: ": "vision_analyze",
    "generate image": "image_generate",
    "cron ": "cronjob",
    "mcp_": "mcp_",
}
"""Beginning of a title to tool; the first that fits counts."""

KINDS: Final[dict[str, str]] = {
    "execute": "terminal",
    "read": "read_file",
    "edit": "patch",
    "search": "search_files",
    "fetch": "web_extract",
}
"""ACP's kind of a call whose title says nothing, to a tool of that kind."""


def tool_of(title: str, kind: str) -> str:
    """The tool, or nothing."""
    for head, name in TITLES.items():
        if title.startswith(head):
            return name
    return KINDS.get(kind, "")
