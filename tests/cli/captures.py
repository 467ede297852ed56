"""Recordings for tests: scripts rendered as Claude Code's lines, in the capture form that
``turnreel import capture`` reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from turnreel.adapters.claude_stream_json.render import Written, lines
from turnreel.adapters.steps import Answer, Ask, Call, End, Interrupt, Reject, Return, Say, Script

ARGV = ("claude", "-p", "--output-format", "stream-json", "--verbose",
        "--input-format", "stream-json")  # fmt: skip
READ = Answer((Say("I'll look first."), Call("tool_1", "Read", {"file_path": "a"})), "tool_use")
ANSWER = Answer((Say("It is **42**."),))

COMPLETED: Script = (READ, Return("tool_1", "42"), ANSWER, End())
RECOVERED: Script = (Reject(429), ANSWER, End())
CANCELLED: Script = (Interrupt("It is ab"),)
BLOCKED: Script = (READ, Ask("tool_1", "allow"))
"""Rendered up to the question: see `unanswered`."""


def native(script: Script) -> bytes:
    """What the agent prints in a script, as its stdout."""
    printed = (line for side, line in lines(script) if side == "out")
    return b"".join(json.dumps(line).encode() + b"\n" for line in printed)


def later(written: list[Written]) -> list[Written]:
    """The same turn once more, by frames of its own."""
    text = json.dumps(written).replace('"uuid": "5e55', '"uuid": "6e55')
    return [(side, line) for side, line in json.loads(text)]


def write_capture(path: Path, written: Iterable[Written], exit_code: int | None = 0) -> Path:
    """A capture of these lines, one a millisecond; `exit_code` None is a recording that stops."""
    rows: list[dict[str, object]] = [
        {"capture": path.stem, "agent": "claude", "version": "2.1.332", "argv": list(ARGV)}
    ]
    for at, (side, line) in enumerate(written):
        rows.append({"t_ms": at, "dir": side, "text": json.dumps(line)})
    if exit_code is not None:
        rows.append({"t_ms": len(rows), "dir": "exit", "code": exit_code})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def unanswered() -> list[Written]:
    """A turn that waits for the person: everything up to the question."""
    written = lines(BLOCKED)
    last = max(
        place for place, (_, line) in enumerate(written) if line["type"] == "control_request"
    )
    return written[: last + 1]
