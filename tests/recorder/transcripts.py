"""Rows of a transcript, as Claude Code writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SESSION = "7cf5ab49-e96c-43f7-876e-b6bc312743f7"
MODEL = "claude-sonnet-4-5-20250929"


def row(kind: str, second: int, **fields: Any) -> dict[str, Any]:
    return {
        "type": kind, "isSidechain": False, "sessionId": SESSION, "version": "2.1.332",
        "cwd": "/home/canary/project", "uuid": f"5e550000-0000-4000-8000-{second:012}",
        "timestamp": f"2026-01-31T12:00:{second:02}.250Z", **fields,
    }  # fmt: skip


def asked(second: int, content: Any = "canary prompt") -> dict[str, Any]:
    return row("user", second, message={"role": "user", "content": content})


def said(
    second: int, message: str, text: str, stop: str | None = "end_turn", **fields: Any
) -> dict[str, Any]:
    body = {
        "id": message, "type": "message", "role": "assistant", "model": MODEL,
        "content": [{"type": "text", "text": text}], "stop_reason": stop,
    }  # fmt: skip
    return row("assistant", second, **{"message": body, **fields})


KEPT_APART = {"type": "api-request-blob", "sessionId": SESSION, "message": {"content": "canary"}}
TURN = [
    {"type": "queue-operation", "operation": "enqueue", "content": "canary", "sessionId": SESSION},
    asked(1),
    KEPT_APART,
    said(2, "msg_01", "I'll look.", "tool_use"),
    asked(3, [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "canary result"}]),
    said(4, "msg_02", "All is well."),
    said(4, "msg_02", " And done."),
]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    return path
