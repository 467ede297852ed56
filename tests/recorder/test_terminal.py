"""Sessions at a terminal: the agent has it, and none of what it draws is recorded."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.recorder.transcripts import SESSION, said
from turnreel.cassettes import open_cassette
from turnreel.recorder.linting import lint
from turnreel.replayer import refeed

from .conftest import send, served

AGENT = """
import datetime, json, os, pathlib, sys, urllib.request
print("\\x1b[2J\\x1b[31mcanary drawn\\x1b[0m", [os.isatty(fd) for fd in (0, 1)], flush=True)
typed = input()
url = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages"
body = json.dumps({"model": "m", "messages": [{"role": "user", "content": typed}]}).encode()
try:
    urllib.request.urlopen(urllib.request.Request(url, data=body))
except urllib.error.HTTPError as error:
    print("answered", error.code, flush=True)
folder = "".join(c if c.isalnum() else "-" for c in os.getcwd())
kept = pathlib.Path(os.environ["HOME"], ".claude", "projects", folder)
kept.mkdir(parents=True)
now = datetime.datetime.now(datetime.UTC)
rows = json.loads(os.environ["ROWS"])
for row, moment in zip(rows, (now - datetime.timedelta(days=1), now)):
    row["timestamp"] = moment.isoformat()
kept.joinpath("session.jsonl").write_text("".join(json.dumps(r) + "\\n" for r in rows))
sys.exit(7)
"""


async def overloaded(
    head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    body = b'{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'
    kind = b"HTTP/1.1 529 Overloaded\r\ncontent-type: application/json\r\nconnection: close\r\n"
    await send(writer, kind + b"content-length: %d\r\n\r\n%s" % (len(body), body))


@contextmanager
def at_terminal(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    program = folder / "claude"
    program.write_text(f"#!{sys.executable}\n{AGENT}")
    program.chmod(0o755)
    env = {
        "PATH": os.environ["PATH"], "HOME": str(folder),
        "ROWS": json.dumps([said(1, "msg_old", "canary old"), said(2, "msg_new", "All is well.")]),
    }  # fmt: skip
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "turnreel", "record", *words, "--", program]
    with subprocess.Popen(
        command, env=env, cwd=folder, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE
    ) as process:
        os.close(theirs)
        yield process, ours
    os.close(ours)


def read_until(terminal: int, mark: bytes) -> bytes:
    shown = b""
    while mark not in shown:
        shown += os.read(terminal, 1 << 12)
    return shown


def test_the_agent_has_the_terminal_and_its_provider_is_recorded(tmp_path: Path) -> None:
    target = tmp_path / "x.cassette.jsonl"
    with (
        served(overloaded) as url,
        at_terminal(
            tmp_path, "--pty", "--keep-text", "--provider-url", url, "--to", str(target)
        ) as (process, terminal),
    ):
        assert b"canary drawn\x1b[0m [True, True]" in read_until(terminal, b"True]")
        os.write(terminal, b"canary typed\n")
        read_until(terminal, b"answered 529")
        assert process.wait(60) == 7
    cassette = open_cassette(target)
    assert cassette.seal is not None
    assert [(t.id, t.dialect) for t in cassette.header.tracks] == [
        ("transcript", "claude-transcript"),
        ("provider", "anthropic-messages"),
    ]
    seen = [(record.track, record.code) for record in cassette]
    assert seen == [
        ("provider", "request"), ("provider", "response"), ("provider", "data"),
        ("provider", "end"), ("transcript", "data"),
    ]  # fmt: skip
    text = target.read_text()
    assert "All is well." in text
    assert "canary" not in text and SESSION not in text and "\\u001b" not in text
    assert "what the agent showed at the terminal" in cassette.header.lacks
    assert refeed.events(cassette) == []
    assert lint(target).found == ()


def test_without_a_terminal_it_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "x.cassette.jsonl"
    done = subprocess.run(
        [sys.executable, "-m", "turnreel", "record", "--pty", "--to", target, "--", sys.executable,
         "--version"],
        capture_output=True, stdin=subprocess.DEVNULL, timeout=60, cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 2
    assert b"cannot tell what python" in done.stderr
    done = subprocess.run(
        [sys.executable, "-m", "turnreel", "record", "--pty", "--to", target, "--dialect",
         "claude-stream-json", "--", sys.executable, "--version"],
        capture_output=True, stdin=subprocess.DEVNULL, timeout=60, cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith(b"turnreel: --pty is for a session at a terminal")
    assert not target.exists()
