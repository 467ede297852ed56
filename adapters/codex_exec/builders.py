"""Whole native frames as ``codex exec --json`` prints them, for scripts, faults and tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from turnreel.adapters.codex_literals import RETRY
from turnreel.wire.units import Json

Line = dict[str, Json]

THREAD: Final = "01a20000-0000-7000-8000-000000000001"
TOKENS: Final[Line] = {
    "input_tokens": 1,
    "cached_input_tokens": 0,
    "cache_write_input_tokens": 0,
    "output_tokens": 1,
    "reasoning_output_tokens": 0,
}
TOOL_FIELDS: Final[dict[str, Line]] = {
    "command_execution": {
        "command": "/bin/bash -lc scripted",
        "aggregated_output": "",
        "exit_code": None,
    },
    "mcp_tool_call": {
        "server": "sheets",
        "tool": "read_sheet",
        "arguments": {"path": "/srv/acme/total.csv"},
        "result": None,
        "error": None,
    },
    "collab_tool_call": {
        "tool": "spawn_agent",
        "sender_thread_id": THREAD,
        "receiver_thread_ids": [],
        "prompt": "Count the rows.",
        "agents_states": {},
    },
    "file_change": {"changes": [{"path": "/srv/acme/total.txt", "kind": "add"}]},
}
"""What items of a kind hold beside their id and status."""


class Printer:
    """Builds the frames of one process: items are numbered in the order they first appear."""

    def __init__(self) -> None:
        self._items: dict[str, str] = {}

    def item(self, name: str) -> str:
        """The id by which the stream calls what is known as `name` elsewhere."""
        return self._items.setdefault(name, f"item_{len(self._items)}")

    def thread(self) -> Line:
        """The first line of every process."""
        return {"type": "thread.started", "thread_id": THREAD}

    def begun(self) -> Line:
        """``turn.started``."""
        return {"type": "turn.started"}

    def said(self, name: str, text: str) -> Line:
        """A whole text."""
        return self.completed(name, "agent_message", text=text)

    def thought(self, name: str, text: str) -> Line:
        """A whole summary of reasoning."""
        return self.completed(name, "reasoning", text=text)

    def started(self, name: str, kind: str, **fields: Json) -> Line:
        """``item.started``."""
        return {"type": "item.started", "item": self._item(name, kind, fields)}

    def completed(self, name: str, kind: str, **fields: Json) -> Line:
        """``item.completed``."""
        return {"type": "item.completed", "item": self._item(name, kind, fields)}

    def searched(self, name: str, query: str) -> Line:
        """A web search, completed: it has no status."""
        action: Line = {"type": "search", "query": query, "queries": [query]}
        return self.completed(name, "web_search", query=query, action=action)

    def todo(self, name: str, steps: Mapping[str, bool]) -> Line:
        """The plan as it stands: steps, and whether each is done."""
        items: list[Json] = [{"text": t, "completed": done} for t, done in steps.items()]
        return {"type": "item.updated", "item": self._item(name, "todo_list", {"items": items})}

    def retry(self, attempt: int, cause: str) -> Line:
        """The runtime will ask again."""
        return self.error(f"{RETRY}{attempt}/5 ({cause})")

    def error(self, sentence: str) -> Line:
        """``error``."""
        return {"type": "error", "message": sentence}

    def ended(self) -> Line:
        """``turn.completed``."""
        return {"type": "turn.completed", "usage": dict(TOKENS)}

    def failed(self, sentence: str) -> Line:
        """``turn.failed``."""
        return {"type": "turn.failed", "error": {"message": sentence}}

    def _item(self, name: str, kind: str, fields: Line) -> Line:
        return {"id": self.item(name), "type": kind, **TOOL_FIELDS.get(kind, {}), **fields}
