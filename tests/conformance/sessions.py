"""Sessions written by hand as cassettes on disk: what an agent prints, in its order."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from turnreel.cassettes.header import (
    AgentInfo,
    Origin,
    Outline,
    Seal,
    TrackSpec,
    header_line,
    seal_line,
)

Row = tuple[str, str, Any] | tuple[str, str, Any, dict[str, Any]]
"""Track, code, data and, where it is not the usual, extra."""

AGENT = TrackSpec(id="agent", carrier="stdio", dialect="claude-stream-json")
PROVIDER = TrackSpec(id="provider", carrier="http", dialect="anthropic-messages")
HOST = TrackSpec(id="host", carrier="host", dialect="host")


def write(path: Path, rows: Sequence[Row], *tracks: TrackSpec, sealed: bool = True) -> Path:
    """A cassette of these records, one every millisecond."""
    lines = [msgspec.json.encode([1000, *row]) + b"\n" for row in rows]
    outline = Outline(
        agent=AgentInfo("claude", "2.1.332"),
        tracks=tracks or (AGENT, HOST),
        policies={},
        rules=0,
        profile="fixture",
        origin=Origin(kind="generated"),
    )
    _, head = header_line(outline, lines[0] if lines else b"")
    body = head + b"".join(lines)
    digest = f"sha256:{hashlib.sha256(body).hexdigest()}"
    seal = seal_line(Seal(records=len(lines), digest=digest)) if sealed else b""
    path.write_bytes(body + seal)
    return path


def out(value: Any) -> Row:
    """A line that the agent printed."""
    return ("agent", "out", value)


def init() -> Row:
    return out({"type": "system", "subtype": "init", "session_id": "S", "uuid": "u-init"})


def assistant(message: str, uuid: str, *blocks: Any) -> Row:
    return out(
        {
            "type": "assistant",
            "uuid": uuid,
            "session_id": "S",
            "parent_tool_use_id": None,
            "message": {
                "id": message,
                "model": "m",
                "role": "assistant",
                "content": list(blocks),
                "stop_reason": None,
            },
        }
    )


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(tool: str, name: str = "Read") -> dict[str, Any]:
    return {"type": "tool_use", "id": tool, "name": name, "input": {}}


def tool_result(tool: str, uuid: str, **fields: Any) -> Row:
    block = {"type": "tool_result", "tool_use_id": tool, "content": "…", **fields}
    return out(
        {
            "type": "user",
            "uuid": uuid,
            "session_id": "S",
            "parent_tool_use_id": None,
            "message": {"role": "user", "content": [block]},
        }
    )


def result(words: str, **fields: Any) -> Row:
    return out(
        {
            "type": "result",
            "subtype": "success",
            "is_error": False,
            "result": words,
            "terminal_reason": "completed",
            "stop_reason": "end_turn",
            "session_id": "S",
            "uuid": "u-result",
            **fields,
        }
    )


PROMPT: Row = ("host", "message", {"via": "argv"})
EXIT: Row = ("agent", "exit", {"code": 0})
UNRECONCILED: Row = ("host", "unreconciled", {})

ANSWERED: tuple[Row, ...] = (
    PROMPT,
    init(),
    assistant("m1", "u1", text("I'll read the report first.")),
    assistant("m1", "u2", call("x1")),
    tool_result("x1", "u3"),
    assistant("m2", "u4", text("The total is 42 — ü.")),
    result("The total is 42 — ü."),
    EXIT,
    UNRECONCILED,
)
"""Commentary, a tool, an answer, a calm exit."""

TURN = """\
run
  commentary "I'll read the report first."
  activity Read file_read ok
  final "The total is 42 — ü." healthy
"""
