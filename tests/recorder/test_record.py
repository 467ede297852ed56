"""Recording as a whole: real processes and sockets in, a sealed cassette out."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.recorder.transcripts import said as kept
from turnreel.cassettes import open_cassette
from turnreel.lifecycle.events import Final
from turnreel.recorder import RecorderError, record
from turnreel.replayer import refeed

from .conftest import INIT, MODEL, Agent, chunked, result, said, send, served

SSE_HEAD = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nrequest-id: req_0001\r\n"
    b"set-cookie: session=canary-cookie\r\ntransfer-encoding: chunked\r\n\r\n"
)
ASK = {
    "model": MODEL,
    "stream": True,
    "messages": [{"role": "user", "content": "canary-prompt"}],
    "system": "canary-system",
}


def run(command: list[str], agent: Agent, **options: Any) -> subprocess.CompletedProcess[bytes]:
    settings = {"stdin": subprocess.DEVNULL, "capture_output": True, "timeout": 60} | options
    return subprocess.run(command, env=agent.env, **settings)


def event(name: str, **fields: Any) -> bytes:
    body = json.dumps({"type": name, **fields}, separators=(",", ":"))
    return f"event: {name}\ndata: {body}\n\n".encode()


def codes(agent: Agent) -> list[tuple[str, str]]:
    return [(record.track, record.code) for record in agent.records()]


def ending(agent: Agent) -> str:
    return type(refeed.events(open_cassette(agent.target))[-1]).__name__


def test_a_session_becomes_a_sealed_cassette(agent: Agent) -> None:
    agent.steps({"print": INIT}, {"print": said("Done.")}, {"print": result("Done.")}, {"exit": 0})
    done = run(agent.record(), agent)
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(done.stdout.splitlines()) == 3
    cassette = open_cassette(agent.target)
    assert cassette.seal is not None and cassette.seal.records == len(agent.records())
    header = cassette.header
    assert (header.agent.name, header.agent.version) == ("claude", "2.1.332")
    assert header.origin.kind == "recorded"
    assert [(t.id, t.carrier, t.dialect) for t in header.tracks] == [
        ("agent", "stdio", "claude-stream-json"),
        ("host", "host", "edge"),
        ("transcript", "host", "claude-transcript"),
    ]
    assert codes(agent) == [
        ("host", "message"),
        ("agent", "eof"),
        ("agent", "out"),
        ("agent", "out"),
        ("agent", "out"),
        ("agent", "exit"),
        ("host", "unreconciled"),
    ]
    assert ending(agent) == "Final"
    assert agent.target.stat().st_mode & 0o777 == 0o600


DELTA = {
    "type": "stream_event",
    "event": {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "text_delta", "text": "All is"},
    },
    "parent_tool_use_id": None,
}
START = {
    "type": "stream_event",
    "event": {"type": "message_start", "message": {"id": "msg_mock_0001", "role": "assistant"}},
    "parent_tool_use_id": None,
}
CUT = {
    "before the result": [said("All is well.")],
    "within the answer": [START, DELTA],
}


@pytest.mark.parametrize("profile", ["fixture", "strict"])
@pytest.mark.parametrize("frames", CUT.values(), ids=CUT)
def test_a_turn_that_was_cut_is_settled_by_what_the_agent_kept(
    agent: Agent, frames: list[dict[str, Any]], profile: str
) -> None:
    rows = [kept(1, "msg_mock_0001", "All is well.")]
    agent.steps({"print": INIT}, *({"print": f} for f in frames), {"keep": rows}, {"exit": 0})
    run(agent.record("", profile), agent)
    assert codes(agent)[-3:] == [
        ("agent", "exit"),
        ("transcript", "data"),
        ("host", "unreconciled"),
    ]
    final = refeed.events(open_cassette(agent.target))[-1]
    assert isinstance(final, Final) and final.health == "degraded"
    assert final.text == ("All is well." if profile == "fixture" else "Xxx xx xxxx.")


def test_what_is_kept_of_another_message_settles_nothing(agent: Agent) -> None:
    rows = [kept(1, "msg_mock_0009", "All is well.")]
    agent.steps({"print": INIT}, {"print": said("All is")}, {"keep": rows}, {"exit": 0})
    run(agent.record(), agent)
    assert ending(agent) == "Failed"


def test_what_is_kept_of_a_turn_that_ended_is_not_recorded(agent: Agent) -> None:
    rows = [kept(1, "msg_mock_0001", "Done.")]
    agent.steps(
        {"print": INIT}, {"print": said("Done.")}, {"print": result("Done.")}, {"keep": rows}
    )
    run(agent.record(), agent)
    assert "transcript" not in {track for track, _ in codes(agent)}
    assert ending(agent) == "Final"


def test_two_recordings_of_one_command_are_two_sessions(agent: Agent) -> None:
    agent.steps({"exit": 0})
    ids = set()
    for _ in range(2):
        run(agent.record(), agent)
        ids.add(open_cassette(agent.target).header.id)
        agent.target.unlink()
    assert len(ids) == 2


def test_prompts_on_stdin_are_recorded_as_the_agents_input(agent: Agent) -> None:
    agent.steps({"read": 1}, {"print": INIT}, {"print": result("")}, {"exit": 0})
    prompt = {"type": "user", "message": {"role": "user", "content": "canary-prompt"}}
    stdin = json.dumps(prompt).encode() + b"\n"
    command = agent.record(arguments=("--input-format", "stream-json"))
    run(command, agent, stdin=None, input=stdin)
    assert codes(agent)[0] == ("agent", "in")
    assert b"canary" not in agent.target.read_bytes()


def test_how_the_agent_ends_is_how_recording_ends(agent: Agent) -> None:
    agent.steps({"print": INIT}, {"exit": 7})
    assert run(agent.record(), agent).returncode == 7
    assert agent.records()[-2].data == {"code": 7}
    agent.target.unlink()
    never = str(agent.folder / "never")
    agent.steps({"print": INIT}, {"wait": never})
    process = subprocess.Popen(
        agent.record(), env=agent.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    )
    with process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == -signal.SIGTERM
    assert [r.data for r in agent.records() if r.code in ("signal", "exit")] == [
        {"name": "SIGTERM"},
        {"signal": "SIGTERM"},
    ]
    assert ending(agent) == "Cancelled"


def test_the_provider_is_recorded_on_the_same_clock(agent: Agent) -> None:
    async def script(_: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        events = [
            event("message_start", message={"id": "msg_1", "model": MODEL, "content": []}),
            event("content_block_start", index=0, content_block={"type": "text", "text": ""}),
            event("content_block_delta", index=0, delta={"type": "text_delta", "text": "Done."}),
            event("message_stop"),
        ]
        await send(writer, SSE_HEAD, *chunked(*events), b"0\r\n\r\n")

    agent.steps({"print": INIT}, {"ask": ASK}, {"print": result("Done.")}, {"exit": 0})
    with served(script) as url:
        assert run(agent.record(url), agent).returncode == 0
    seen = codes(agent)
    assert seen == [
        ("host", "message"),
        ("agent", "eof"),
        ("agent", "out"),
        ("provider", "request"),
        ("provider", "response"),
        *[("provider", "data")] * 4,
        ("provider", "end"),
        ("agent", "out"),
        ("agent", "exit"),
        ("host", "unreconciled"),
    ]
    records = agent.records()
    request = records[3].data
    assert isinstance(request, dict)
    assert request["method"] == "POST" and request["path"] == "/v1/messages?beta=true"
    features = request["features"]
    assert isinstance(features, dict)
    assert (features["model"], features["stream"], features["history"]) == (
        MODEL,
        True,
        ["user text"],
    )
    assert all(record.exchange == 1 for record in records[3:10])
    assert b"canary" not in agent.target.read_bytes()


def test_the_variable_that_names_the_provider_is_enough(agent: Agent) -> None:
    async def script(_: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        body = b'{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'
        head = b"HTTP/1.1 529 Overloaded\r\ncontent-type: application/json\r\n"
        await send(writer, head + b"content-length: %d\r\n\r\n" % len(body) + body)

    agent.steps({"print": INIT}, {"ask": ASK}, {"exit": 1})
    with served(script) as url:
        agent.env |= {"ANTHROPIC_BASE_URL": url, "http_proxy": "http://127.0.0.1:9"}
        run(agent.record(), agent)
    answer = [r.data for r in agent.records() if r.track == "provider"]
    assert isinstance(answer[1], dict) and answer[1]["status"] == 529
    assert answer[2] == {
        "type": "error",
        "error": {"type": "overloaded_error", "message": "Overloaded"},
    }


def test_a_stream_that_breaks_is_recorded_to_its_last_byte(agent: Agent) -> None:
    start = event("message_start", message={"id": "msg_1", "model": MODEL, "content": []})

    async def script(_: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await send(writer, SSE_HEAD, *chunked(start, b"event: content_blo"))

    agent.steps({"print": INIT}, {"ask": ASK}, {"exit": 1})
    with served(script) as url:
        run(agent.record(url), agent)
    told = [(r.code, r.data, r.extra) for r in agent.records() if r.track == "provider"]
    assert [code for code, _, _ in told] == ["request", "response", "data", "data", "cut"]
    assert told[3][2]["torn"] == {"bytes": 18, "class": "cut"}
    assert told[4][1] == {"by": "upstream", "at": len(start) + 18}


def test_a_terminal_transcript_has_no_run_and_lands_masked(agent: Agent) -> None:
    agent.ARGUMENTS = ("-p",)  # type: ignore[misc]
    agent.steps({"raw": "canary prose\n"}, {"exit": 0})
    done = run(agent.record(), agent)
    assert done.stdout == b"canary prose\n"
    assert refeed.events(open_cassette(agent.target)) == []
    assert b"canary" not in agent.target.read_bytes()


def test_a_large_session_is_stalled_not_lost(agent: Agent) -> None:
    """More than the high-water mark at full speed: nothing is dropped, all is sealed."""
    frame = json.dumps(said("x" * 2000)) + "\n"
    code = (
        f"import sys\nsys.stdout.write({json.dumps(json.dumps(INIT))} + chr(10))\n"
        f"for _ in range(12000): sys.stdout.write({frame!r})\n"
    )
    agent.program.write_text(f"#!{sys.executable}\n{code}")
    done = run(agent.record(), agent, timeout=100)
    assert len(done.stdout) == 12000 * len(frame) + len(json.dumps(INIT)) + 1
    seal = open_cassette(agent.target).seal
    assert seal is not None and seal.records == 12000 + 5


def test_an_existing_target_is_refused_before_the_command_runs(agent: Agent) -> None:
    agent.target.write_text("precious")
    agent.steps({"touch": str(agent.folder / "ran")}, {"exit": 0})
    done = run(agent.record(), agent)
    assert done.returncode == 1
    assert b"exists already" in done.stderr
    assert agent.target.read_text() == "precious"
    assert not (agent.folder / "ran").exists()


def test_a_recording_that_fails_leaves_the_command_alone(agent: Agent) -> None:
    """The sealing process is killed: the command runs to its end, and the loss is told."""
    waiting, go = agent.folder / "waiting", agent.folder / "go"
    agent.steps(
        {"print": INIT}, {"touch": str(waiting)}, {"wait": str(go)},
        {"print": said("Done.")}, {"print": result("Done.")}, {"exit": 5},
    )  # fmt: skip
    process = subprocess.Popen(
        agent.record(), env=agent.env, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    while not waiting.exists():
        assert process.poll() is None
    os.kill(sealing_child(process.pid), signal.SIGKILL)
    go.touch()
    out, err = process.communicate(timeout=30)
    assert process.returncode == 5
    assert len(out.splitlines()) == 3
    assert b"the sealing process was killed" in err and b"turnreel recover" in err
    assert open_cassette(agent.target).seal is None


def sealing_child(parent: int) -> int:
    listing = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(parent)], capture_output=True, text=True
    )
    (line,) = [row for row in listing.stdout.splitlines() if "recorder.sealing" in row]
    return int(line.split()[0])


def test_callers_mistakes_come_before_the_command(tmp_path: Path) -> None:
    target = tmp_path / "x.cassette.jsonl"
    with pytest.raises(RecorderError, match="command not found: claude-of-nowhere"):
        record(["claude-of-nowhere"], target)
    with pytest.raises(RecorderError, match="cannot tell what true speaks"):
        record(["true"], target)
    assert list(tmp_path.iterdir()) == []


def test_whatever_is_printed_is_recorded_and_the_turn_is_right(agent: Agent) -> None:
    """Log lines, NUL bytes, UTF-16, a line of a mebibyte, two objects on a line, half a line."""
    noise = ["[debug] canary\n", "\x00\x00\n", '{"a":1} {"b":2}\n', "x" * (1 << 20) + "\n"]
    agent.steps(
        {"print": INIT},
        *({"raw": text} for text in noise),
        {"print": said("Done.")},
        {"raw": '{"type":"result"}\n'.encode("utf-16").decode("latin-1") + "\n"},
        {"print": result("Done.")},
        {"raw": '{"type":"resu'},
        {"exit": 0},
    )
    done = run(agent.record(), agent)
    assert (done.returncode, done.stderr) == (0, b"")
    cassette = open_cassette(agent.target)
    assert cassette.seal is not None
    assert ending(agent) == "Final"
    assert agent.target.stat().st_size < 2 << 20
