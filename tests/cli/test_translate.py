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
