"""Claude Code's own tools: the kind of activity each is, and which names may be shown.

A name that is not here may be a person's own (an MCP server's, say): it is replaced by the kind.
"""

from __future__ import annotations

from typing import Final

from turnreel.lifecycle.events import ActivityKind

KINDS: Final[dict[str, ActivityKind]] = {
    "Bash": "command",
    "BashOutput": "command",
    "KillBash": "command",
    "KillShell": "command",
    "Monitor": "command",
    "PowerShell": "command",
    "REPL": "command",
    "bash_code_execution": "command",
    "code_execution": "command",
    "Read": "file_read",
    "NotebookRead": "file_read",
    "ReadMcpResource": "mcp",
    "ListMcpResources": "mcp",
    "Edit": "file_change",
    "MultiEdit": "file_change",
    "NotebookEdit": "file_change",
    "Write": "file_change",
    "text_editor_code_execution": "file_change",
    "Glob": "search",
    "Grep": "search",
    "LS": "search",
    "LSP": "search",
    "ToolSearch": "search",
    "tool_search_tool_bm25": "search",
    "tool_search_tool_regex": "search",
    "WebFetch": "web",
    "WebSearch": "web",
    "web_fetch": "web",
    "web_search": "web",
    "Agent": "subagent",
    "Task": "subagent",
    "AskUserQuestion": "question",
    "EnterPlanMode": "other",
    "EnterWorktree": "other",
    "ExitPlanMode": "other",
    "ExitWorktree": "other",
    "SendMessage": "other",
    "Skill": "other",
    "SlashCommand": "other",
    "StructuredOutput": "other",
    "TaskCreate": "other",
    "TaskGet": "other",
    "TaskList": "other",
    "TaskOutput": "other",
    "TaskStop": "other",
    "TaskUpdate": "other",
    "TodoWrite": "other",
    "Workflow": "other",
}
"""The allow-list. Commands have a program name of their own in an approval's prompt (Y)."""

COMMAND_TOOLS: Final = frozenset({"Bash", "PowerShell"})
QUESTION_TOOL: Final = "AskUserQuestion"
PLAN_TOOL: Final = "TodoWrite"


def kind_of(name: str) -> ActivityKind:
    """The kind of activity a tool is."""
    return "mcp" if name.startswith("mcp__") else KINDS.get(name, "other")


def shown(name: str) -> str:
    """The tool's name if anyone may see it, else its kind."""
    return name if name in KINDS else kind_of(name)
