"""Rows of a rollout, as Codex writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

THREAD = "01a22d24-57d9-7e23-b5c2-0adb7136313a"
TURN = "01a22d24-57fd-7bc0-835a-5b58acc03947"


def row(kind: str, second: int, payload: dict[str, Any]) -> dict[str, Any]:
    at = f"2026-01-31T12:00:{second:02}.250Z"
    return {"timestamp": at, "ordinal": second, "type": kind, "payload": payload}


def event(kind: str, second: int = 0, **fields: Any) -> dict[str, Any]:
    return row("event_msg", second, {"type": kind, "turn_id": TURN, **fields})


def said(
    second: int, message: str, text: str, phase: str | None = "final_answer", **fields: Any
) -> dict[str, Any]:
    content = [{"type": "Text", "text": text}]
    item = {"type": "AgentMessage", "id": message, "content": content, "phase": phase, **fields}
    return event("item_completed", second, thread_id=THREAD, item=item)


def done(second: int, item: str = "CommandExecution") -> dict[str, Any]:
    told = {
        "type": item,
        "id": f"call_{second}",
        "command": ["canary", "rm"],
        "status": "completed",
    }
    return event("item_completed", second, thread_id=THREAD, item=told)


def complete(second: int, **fields: Any) -> dict[str, Any]:
    return event("task_complete", second, last_agent_message="canary", **fields)


ROLLOUT = [
    row("session_meta", 0, {"id": THREAD, "cli_version": "0.171.0", "cwd": "/home/canary",
                            "base_instructions": "canary"}),
    event("task_started", 1),
    row("response_item", 1, {"type": "message", "role": "user", "id": "msg_u",
                             "content": [{"type": "input_text", "text": "canary prompt"}]}),
    row("world_state", 1, {"state": "canary"}),
    row("turn_context", 1, {"cwd": "/home/canary", "turn_id": TURN}),
    said(2, "msg_1", "I look first.", "commentary"),
    row("response_item", 2, {"type": "reasoning", "encrypted_content": "canary", "id": "rs_1"}),
    row("response_item", 2, {"type": "function_call", "name": "exec_command", "call_id": "call_1",
                             "arguments": '{"cmd": "canary"}'}),
    done(3),
    said(4, "msg_2", "All is well."),
    event("task_complete", 5, last_agent_message="All is well.", duration_ms=305),
]  # fmt: skip


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    return path
