"""A program in Claude Code's place for hosts that speak its control protocol.

A prompt names the turn it plays, rendered as Claude Code prints it. What the host has to say in
between is waited for. What the program was started with goes to the file $SCRIPTED_SEEN, if that
is set.
"""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from turnreel.adapters.claude_stream_json.render import lines
from turnreel.adapters.steps import Answer, Ask, Call, End, Interrupt, Return, Say, Script

READ = Call("toolu_read", "Read", {"file_path": "/srv/notes.txt"})
LIST = Call("toolu_list", "Bash", {"command": "ls -la"})
ANSWER = Answer((Say("All is **well**."),))

TURNS: dict[str, Script] = {
    "tools": (
        Answer((Say("I'll look first."), READ), "tool_use"),
        Return("toolu_read", "42\n" * 70_000),  # a line of 200 KiB and more
        Answer((Say("And around it."), LIST), "tool_use"),
        Return("toolu_list", "notes.txt"),
        ANSWER,
        End(),
    ),
    "allow": (
        Answer((LIST,), "tool_use"), Ask("toolu_list", "allow"), Return("toolu_list", "x"),
        ANSWER, End(),
    ),
    "deny": (
        Answer((LIST,), "tool_use"), Ask("toolu_list", "deny"),
        Return("toolu_list", "not now", "failed"), ANSWER, End(),
    ),
    "interrupt": (Interrupt("All is w"),),
    "resume": (ANSWER, End()),
}  # fmt: skip


def main() -> None:
    if seen := os.environ.get("SCRIPTED_SEEN"):
        told = {
            "argv": sys.argv[1:], "env": dict(sorted(os.environ.items())), "cwd": str(Path.cwd()),
            "umask": os.umask(0o022),
        }  # fmt: skip
        Path(seen).write_text(json.dumps(told))
    heard = map(json.loads, sys.stdin)
    for line in heard:
        match line:
            case {"type": "control_request", "request": {"subtype": "initialize"}}:
                say(acknowledged(line, {"commands": [], "output_style": "default"}))
            case {"type": "control_request"}:
                say(acknowledged(line, {}))
            case {"type": "user"}:
                play(TURNS[str(line["message"]["content"])], heard)


def play(script: Script, heard: Iterator[Any]) -> None:
    """Print the turn; where it waits for the host, wait."""
    last: Any = None
    (_, _prompt), *rest = lines(script)
    for side, line in rest:
        if side == "in":
            last = next(heard)
            while last["type"] != line["type"]:
                last = next(heard)
        elif line["type"] == "control_response":
            say(acknowledged(last, {"still_queued": []}))
        else:
            say(line)


def acknowledged(line: Any, response: dict[str, Any]) -> dict[str, Any]:
    """The answer to a host's request, by its own id."""
    inner = {"subtype": "success", "request_id": line["request_id"], "response": response}
    return {"type": "control_response", "response": inner}


def say(line: Any) -> None:
    if line["type"] == "result":  # what an SDK insists on
        line = {"duration_ms": 1, "duration_api_ms": 1, "num_turns": 1, **line}
    print(json.dumps(line, separators=(",", ":"), ensure_ascii=False), flush=True)


main()
