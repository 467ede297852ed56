"""Kill -9 at any moment: what is on disk reads to the last whole unit, and nothing raw is there."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from turnreel.cassettes import open_cassette
from turnreel.cassettes.recover import recover

from .conftest import INIT, MODEL, Agent, chunked, result, said, send, served

KEY = "sk-ant-api03-" + "Qx7Lm2Vb9Rt4Kp8Zs1Wd6Yf3Hj5Ng0Ca"
PLANTED = {
    "key": KEY,
    "prompt": "canary-prompt-81734",
    "system": "canary-system-55021",
    "tool": "canary-tool-result-90312",
    "input": "canary-tool-input-11854",
    "stderr": "canary-stderr-70923",
    "header": "canary-cookie-24417",
    "thinking": "canary-thinking-60338",
    "query": "canary-query-33190",
}


def tool_use() -> dict[str, Any]:
    frame = said("", 2)
    block = {"type": "tool_use", "id": "toolu_1", "name": "Read"}
    frame["message"]["content"] = [{**block, "input": {"file_path": f"/srv/{PLANTED['input']}"}}]
    return frame


def tool_result() -> dict[str, Any]:
    block = {
        "type": "tool_result",
        "tool_use_id": "toolu_1",
        "content": f"{PLANTED['tool']}\n{KEY}",
    }
    return {"type": "user", "message": {"role": "user", "content": [block]}}


def delta(text: str) -> bytes:
    body = {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "text_delta", "text": text},
    }
    return f"event: content_block_delta\ndata: {json.dumps(body)}\n\n".encode()


async def provider(head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Streams a key in two pieces, then hangs."""
    start = {"type": "message_start", "message": {"id": "msg_1", "model": MODEL, "content": []}}
    block = {
        "type": "content_block_start",
        "index": 0,
        "content_block": {"type": "text", "text": ""},
    }
    events = [
        *(f"data: {json.dumps(one)}\n\n".encode() for one in (start, block)),
        delta("Use " + KEY[:20]),
        delta(KEY[20:]),
    ]
    await send(
        writer,
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
        b"set-cookie: s=" + PLANTED["header"].encode() + b"\r\ntransfer-encoding: chunked\r\n\r\n",
        *chunked(*events),
    )
    await reader.read()


@contextmanager
def mid_stream(agent: Agent, profile: str = "fixture") -> Iterator[subprocess.Popen[bytes]]:
    """A recording with everything planted, some of it held in every buffer there is."""
    heard, never = agent.folder / "heard", agent.folder / "never"
    agent.env["ANTHROPIC_API_KEY"] = KEY
    body = {
        "model": MODEL,
        "system": PLANTED["system"],
        "messages": [{"role": "user", "content": f"{PLANTED['prompt']} {KEY}"}],
    }
    agent.steps(
        {"print": INIT},
        {"print": said("Reading.")},
        {"print": tool_use()},
        {"print": tool_result()},
        {"err": PLANTED["stderr"]},
        {"print": said(f"The key is {KEY}.", 3)},
        {"raw": '{"type":"user","message":"' + PLANTED["tool"]},  # half a line
        {"ask": body, "hear": KEY[20:], "touch": str(heard)},
        {"wait": str(never)},
    )
    prompt = {"type": "user", "message": {"role": "user", "content": PLANTED["prompt"]}}
    with served(provider) as url:
        process = subprocess.Popen(
            agent.record(url, profile, arguments=("--input-format", "stream-json")),
            env=agent.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(prompt).encode() + b"\n")
        process.stdin.flush()
        until(heard.exists)
        until(lambda: b'"provider","response"' in written(agent))
        yield process
        process.stdin.close()
        process.wait()


def until(condition: Any, seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def written(agent: Agent) -> bytes:
    return agent.target.read_bytes() if agent.target.exists() else b""


def processes_of(group: int) -> set[int]:
    """Everything the recorder started, the sealing process in its own session included."""
    listing = subprocess.run(
        ["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True
    )
    parents = {int(pid): int(ppid) for pid, ppid in map(str.split, listing.stdout.splitlines())}
    found = {group}
    while more := {pid for pid, ppid in parents.items() if ppid in found} - found:
        found |= more
    return found


def gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return True
    return state == "Z"


def leaks(folder: Path) -> list[tuple[str, str]]:
    """Which planted values stand in which file; the test's own script apart."""
    own = {"steps", "claude"}
    files = [f for f in folder.rglob("*") if f.is_file() and f.name not in own]
    assert files
    forms = {name: value.encode() for name, value in PLANTED.items()}
    forms |= {"first half": KEY[:24].encode(), "second half": KEY[24:].encode()}
    return [
        (f.name, name) for f in files for name, value in forms.items() if value in f.read_bytes()
    ]


@pytest.mark.parametrize("profile", ["fixture", "strict"])
@pytest.mark.parametrize("victims", ["recorder", "sealing process too"])
def test_kill_9_mid_stream(agent: Agent, profile: str, victims: str) -> None:
    with mid_stream(agent, profile) as process:
        family = processes_of(process.pid)
        assert len(family) >= 3
        for pid in {process.pid} if victims == "recorder" else family:
            os.kill(pid, signal.SIGKILL)
        until(lambda: all(map(gone, family)))
    cassette = open_cassette(agent.target)
    assert cassette.seal is None
    records = list(cassette)
    seen = [(record.track, record.code) for record in records]
    assert seen[0] == ("agent", "in")
    assert ("agent", "err") in seen
    assert seen.count(("agent", "out")) == 5, "every whole line, and not the half one"
    assert ("provider", "response") in seen
    if victims == "recorder":
        assert seen.count(("provider", "data")) == 4, "what the sealing process held, too"
    assert leaks(agent.folder) == []
    seal = recover(agent.target)
    assert seal.records == len(records) and seal.recovered
    assert open_cassette(agent.target).seal == seal


def test_kill_9_before_the_agent_said_anything(agent: Agent) -> None:
    waiting = agent.folder / "waiting"
    agent.steps({"touch": str(waiting)}, {"wait": str(agent.folder / "never")})
    process = subprocess.Popen(agent.record(), env=agent.env, stdin=subprocess.DEVNULL)
    until(waiting.exists)
    family = processes_of(process.pid)
    process.kill()
    process.wait()
    until(lambda: all(gone(pid) for pid in family))  # the agent as well: the kill was meant for it
    assert [(r.track, r.code) for r in agent.records()] == [("host", "message"), ("agent", "eof")]


def test_a_whole_session_with_everything_planted_leaks_nothing(agent: Agent) -> None:
    """The same session to its end: sealed, and as clean."""
    agent.env["ANTHROPIC_API_KEY"] = KEY
    agent.steps(
        {"print": INIT},
        {"print": tool_use()},
        {"print": tool_result()},
        {"err": PLANTED["stderr"]},
        {"ask": {"model": MODEL, "system": PLANTED["system"], "messages": []}},
        {"print": said(f"The key is {KEY}.")},
        {"print": result(f"The key is {KEY}.")},
        {"exit": 0},
    )

    async def script(
        head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await send(
            writer,
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
            b"set-cookie: s=" + PLANTED["header"].encode() + b"\r\n\r\n",
            delta("Use " + KEY[:20]) + delta(KEY[20:]),
        )

    with served(script) as url:
        done = subprocess.run(
            agent.record(url + "/" + PLANTED["query"]),
            env=agent.env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
        )  # fmt: skip
    assert done.returncode == 0
    assert done.stdout.count(KEY.encode()) == 3, "what passes through is not touched"
    assert open_cassette(agent.target).seal is not None
    assert leaks(agent.folder) == []
