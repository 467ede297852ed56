"""Native lines in, events out, while they come."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.captures import CANCELLED, COMPLETED, native
from tests.cli.command import Turnreel
from turnreel.adapters.claude_stream_json.render import lines
from turnreel.adapters.steps import Answer, End, Say, Script


def events_of(out: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.splitlines()]


def test_a_turn_comes_out(turnreel: Turnreel) -> None:
    answer = turnreel("translate", stdin=native(COMPLETED))
    events = events_of(answer.out)
    assert (answer.status, answer.err) == (0, "")
    assert [event["type"] for event in events] == [
        "run.started", "commentary", "activity", "activity", "final",
    ]  # fmt: skip
    assert events[-1]["text"] == "It is **42**."
    assert {event["run_id"] for event in events} == {"stdin.1"}


def test_the_end_of_stdin_is_the_end_of_the_stream(turnreel: Turnreel) -> None:
    cut = b"".join(native(COMPLETED).splitlines(keepends=True)[:-1])
    last = events_of(turnreel("translate", stdin=cut).out)[-1]
    assert (last["type"], last["code"]) == ("failed", "incomplete")


def test_what_the_host_wrote_says_that_it_cancelled(turnreel: Turnreel, tmp_path: Path) -> None:
    log = tmp_path / "host.jsonl"
    log.write_text(
        "".join(json.dumps(line) + "\n" for side, line in lines(CANCELLED) if side == "in")
    )
    answer = turnreel("translate", "--with-input", log, stdin=native(CANCELLED))
    assert events_of(answer.out)[-1]["type"] == "cancelled"


def test_events_come_before_the_stream_ends() -> None:
    """A reader beside a live agent sees commentary when it is due, not when the agent is done."""
    printed = native(COMPLETED).splitlines(keepends=True)
    child = subprocess.Popen(
        [sys.executable, "-m", "turnreel", "translate"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ,
    )
    assert child.stdin is not None and child.stdout is not None
    child.stdin.write(b"".join(printed[:-1]))
    child.stdin.flush()
    early = [json.loads(child.stdout.readline())["type"] for _ in range(4)]
    rest, _ = child.communicate(printed[-1])
    assert early == ["run.started", "commentary", "activity", "activity"]
    assert [event["type"] for event in events_of(rest.decode())] == ["final"]


@pytest.mark.parametrize(
    ("words", "stdin", "said"),
    [
        (("--dialect", "klingon"), b"", "unknown dialect 'klingon' (one of: "),
        (("--dialect", "anthropic-messages"), b"", "anthropic-messages is what a provider speaks"),
        ((), b'{"id":1,"method":"turn/start"}\n{"id":2}\n',
         "stdin: no frame of claude-stream-json in 2 lines (name another --dialect)"),
        ((), b"[" * 100_000 + b"\n", "stdin: no frame of claude-stream-json in 1 lines"),
        ((), b"\xff\xfe\x00 not text\n", "stdin: no frame of claude-stream-json in 1 lines"),
        (("--with-input", "absent.jsonl"), b"", "absent.jsonl: no such file or directory"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line(
    turnreel: Turnreel, words: tuple[str, ...], stdin: bytes, said: str
) -> None:
    answer = turnreel("translate", *words, stdin=stdin)
    assert answer.status == 2
    assert answer.one_line().startswith(said)
    assert answer.out == ""


def test_nothing_in_is_nothing_out(turnreel: Turnreel) -> None:
    answer = turnreel("translate")
    assert (answer.status, answer.out, answer.err) == (0, "", "")


ASKING: Script = (Answer((Say("[ASK] Which **format**?"),)), End())


def test_a_final_with_the_hosts_marker_asks(turnreel: Turnreel) -> None:
    answer = turnreel("translate", "--marker", "[ASK]", stdin=native(ASKING))
    last = events_of(answer.out)[-1]
    assert (last["type"], last["text"]) == ("needs_input", "Which **format**?")
    assert last["confidence"] == "marker"
    assert events_of(turnreel("translate", stdin=native(ASKING)).out)[-1]["type"] == "final"


@pytest.mark.parametrize("marker", ["", "  ", "\n", "x" * 65])
def test_what_cannot_be_a_marker(turnreel: Turnreel, marker: str) -> None:
    answer = turnreel("translate", "--marker", marker, stdin=native(ASKING))
    assert (answer.status, answer.out) == (2, "")
    assert "--marker is printable and has 1 to 64 characters" in answer.err
    assert answer.err.count("\n") <= 3


@pytest.mark.parametrize("profile", ["strict", "fixture"])
def test_a_recording_keeps_the_marker_and_what_it_means(
    turnreel: Turnreel, tmp_path: Path, profile: str
) -> None:
    agent = tmp_path / "claude"
    prints = f"sys.stdout.write({native(ASKING).decode()!r})"
    agent.write_text(f"#!{sys.executable}\nimport sys\n{prints}\n")
    agent.chmod(0o755)
    target = tmp_path / "asked.cassette.jsonl"
    command = [
        sys.executable, "-m", "turnreel", "record", "--to", target, "--marker", "[ASK]",
        "--profile", profile, "--", agent, "-p", "--output-format", "stream-json", "--verbose",
        "--", "Go.",
    ]  # fmt: skip
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    events = events_of(turnreel("events", target).out)
    text = "Which **format**?" if profile == "fixture" else "Xxxxx **xxxxxx**?"
    assert (events[-1]["type"], events[-1]["text"]) == ("needs_input", text)
    assert turnreel("lint", target).status == 0
    again = tmp_path / "again.cassette.jsonl"
    turnreel("sanitize", target, "--to", again, "--profile", "strict")
    last = events_of(turnreel("events", again).out)[-1]
    assert (last["type"], last["text"]) == ("needs_input", "Xxxxx **xxxxxx**?")
