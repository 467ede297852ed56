"""The shim as a process: bytes, causes, ids, endings."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from turnreel.replayer.errors import PlanError, ReplayError
from turnreel.replayer.plan import make_plan
from turnreel.replayer.shim import Departure, run_shim

if TYPE_CHECKING:
    from conftest import Recording

PROGRAM = """
import sys
from pathlib import Path
from turnreel.replayer.plan import make_plan
from turnreel.replayer.shim import depart, run_shim
from turnreel.replayer.tape import load
from turnreel.wire.errors import TurnreelError
path, specs, pacing, *args = sys.argv[1:]
try:
    plan = make_plan(filter(None, specs.split(" ")), pacing=pacing)
    departure = run_shim(load(Path(path)), plan, args, patience_s=5)
except TurnreelError as error:
    print("turnreel:", error, file=sys.stderr)
    sys.exit(2)
depart(departure)
"""


class Agent:
    """A running shim."""

    def __init__(self, path: Path, specs: str, pacing: str, *args: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(path), specs, pacing, *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def tell(self, value: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(value).encode() + b"\n")
        self.process.stdin.flush()

    def line(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def end(self) -> tuple[int, bytes, bytes]:
        """Exit code (negative: signal), the rest of stdout, stderr; stdin is closed."""
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err

    def end_unclosed(self) -> tuple[int, bytes]:
        """The same while stdin stays open."""
        assert self.process.stdout is not None
        out = self.process.stdout.read()
        code = self.process.wait(timeout=30)
        self.process.communicate()
        return code, out


@pytest.fixture
def start(recording: Recording, tmp_path: Path) -> Any:
    def start(specs: str = "", *args: str, pacing: str = "max") -> Agent:
        return Agent(recording.write(tmp_path / "agent.cassette.jsonl"), specs, pacing, *args)

    return start


def one_shot(recording: Recording, code: int = 0) -> None:
    recording.line({"type": "system", "subtype": "init"})
    recording.line("a wärning", "err", kind="text")
    recording.line({"type": "assistant", "text": "Grüße"}, style="spaced-ascii")
    recording.line("not json", kind="text", end="\r\n")
    recording.line({"type": "result"}, end="")
    recording.line({"code": code}, "exit")


ONE_SHOT = (
    b'{"type":"system","subtype":"init"}\n'
    b'{"type": "assistant", "text": "Gr\\u00fc\\u00dfe"}\n'
    b"not json\r\n"
    b'{"type":"result"}'
)


@pytest.mark.parametrize("code", [0, 1, 42])
def test_bytes_and_exit_code_are_the_recorded_ones(
    recording: Recording, start: Any, code: int
) -> None:
    one_shot(recording, code)
    assert start().end() == (code, ONE_SHOT, "a wärning\n".encode())


def test_two_shims_of_one_cassette_do_not_know_each_other(
    recording: Recording, tmp_path: Path
) -> None:
    for n in range(50):
        recording.line({"type": "assistant", "n": n})
    recording.note("agent", "exit", {"code": 0})
    cassette = recording.write(tmp_path / "one.cassette.jsonl")
    command = [sys.executable, "-m", "turnreel", "shim", "--pacing", "max", str(cassette)]
    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) for _ in "ab"
    ]
    first, second = (one.communicate(timeout=60)[0] for one in both)
    assert first == second
    assert first.count(b"\n") == 50
    assert [one.returncode for one in both] == [0, 0]


def test_a_recorded_death_is_died_again(recording: Recording, start: Any) -> None:
    recording.line({"type": "system"})
    recording.line({"signal": "SIGKILL"}, "exit")
    assert start().end() == (-signal.SIGKILL, b'{"type":"system"}\n', b"")


def test_large_output_reaches_a_slow_reader_whole(recording: Recording, start: Any) -> None:
    for _ in range(40):
        recording.line({"type": "x", "text": "y" * 200_000})
    recording.line({"code": 0}, "exit")
    code, out, _ = start().end()
    assert (code, out.count(b"\n"), len(out)) == (0, 40, 40 * 200_023)


def conversation(recording: Recording) -> None:
    init = {"type": "control_request", "request_id": "init-1", "request": {"subtype": "initialize"}}
    recording.line(init, "in")
    recording.line({"type": "user", "message": {"content": "Hi"}, "uuid": "u-1"}, "in")
    done = {"subtype": "success", "request_id": "init-1"}
    recording.line({"type": "control_response", "response": done})
    recording.line({"type": "status", "user_message_uuids": ["u-1"]})
    asks = {"subtype": "can_use_tool", "tool_name": "Write"}
    recording.line({"type": "control_request", "request_id": "gate-1", "request": asks})
    answer = {"subtype": "success", "request_id": "gate-1", "response": {"behavior": "allow"}}
    recording.line({"type": "control_response", "response": answer}, "in")
    recording.line({"type": "result"})
    recording.line({"stream": "stdin"}, "eof")
    recording.line({"type": "bye"})
    recording.line({"code": 0}, "exit")


def test_what_the_host_did_releases_what_came_of_it(recording: Recording, start: Any) -> None:
    conversation(recording)
    agent = start()
    agent.tell(
        {"type": "control_request", "request_id": "mine", "request": {"subtype": "initialize"}}
    )
    agent.tell({"type": "user", "message": {"content": "Other words"}, "uuid": "other"})
    assert agent.line()["response"]["request_id"] == "mine"
    assert agent.line()["user_message_uuids"] == ["other"]
    gate = agent.line()
    assert gate["request_id"] == "gate-1"
    answer = {"subtype": "success", "request_id": "gate-1", "response": {"behavior": "deny"}}
    agent.tell({"type": "control_response", "response": answer})
    assert agent.line() == {"type": "result"}
    assert agent.end() == (0, b'{"type":"bye"}\n', b"")


def test_an_input_of_another_kind_is_reported_and_waited_past(
    recording: Recording, start: Any
) -> None:
    recording.line({"type": "user"}, "in")
    recording.line({"type": "result"})
    recording.line({"code": 0}, "exit")
    agent = start()
    agent.tell({"type": "control_request", "request": {"subtype": "interrupt"}})
    agent.tell({"type": "user"})
    code, out, err = agent.end()
    assert (code, out) == (0, b'{"type":"result"}\n')
    assert err == (
        b"turnreel shim: unexpected input control_request/interrupt while waiting for user\n"
    )


def test_a_stdin_that_ends_too_early_is_one_line(recording: Recording, start: Any) -> None:
    conversation(recording)
    code, out, err = start().end()
    assert (code, out) == (2, b"")
    assert err.startswith(
        b"turnreel: stdin ended while the recording waits for input control_request/initialize"
    )


def test_times_count_from_the_last_gate(recording: Recording, start: Any) -> None:
    recording.line({"type": "user"}, "in", after_us=600_000_000)
    recording.line({"type": "result"}, after_us=1000)
    recording.line({"code": 0}, "exit")
    agent = start(pacing="recorded")
    agent.tell({"type": "user"})
    assert agent.end() == (0, b'{"type":"result"}\n', b"")


def interrupted(recording: Recording) -> None:
    recording.line({"type": "system"})
    recording.line({"name": "SIGINT"}, "signal")
    recording.line({"type": "result", "subtype": "error_during_execution"})
    recording.line({"code": 0}, "exit")


def test_a_recorded_signal_is_waited_for(recording: Recording, start: Any) -> None:
    interrupted(recording)
    agent = start()
    assert agent.line() == {"type": "system"}
    agent.process.send_signal(signal.SIGINT)
    code, out = agent.end_unclosed()
    assert code == 0
    assert out == b'{"type":"result","subtype":"error_during_execution"}\n'


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_unrecorded_signal_kills(recording: Recording, start: Any, number: int) -> None:
    recording.line({"type": "system"})
    recording.line({"type": "user"}, "in")
    recording.line({"type": "result"})
    agent = start()
    assert agent.line() == {"type": "system"}
    agent.process.send_signal(number)
    assert agent.end_unclosed() == (-number, b"")


@pytest.mark.parametrize(
    ("spec", "code", "out"),
    [
        ("exit:7@event=1", 7, ONE_SHOT[:35]),
        ("exit:2@event=4", 2, ONE_SHOT),
        ("kill@event=0", -9, b""),
        ("kill@event=2", -9, ONE_SHOT[: 35 + 49]),
        ("duplicate@event=1", 5, ONE_SHOT[:35] + ONE_SHOT),
        ("cut:clean@byte=40", 5, ONE_SHOT[:40]),
        ("cut:clean@event=1 duplicate@event=1", 5, ONE_SHOT[:35] * 2),
    ],
)
def test_faults(recording: Recording, start: Any, spec: str, code: int, out: bytes) -> None:
    one_shot(recording, 5)
    ended, printed, _ = start(spec).end()
    assert (ended, printed) == (code, out)


@pytest.mark.parametrize(
    ("then", "code", "out"), [("stop", -signal.SIGINT, b""), ("rest", 5, ONE_SHOT[35:])]
)
def test_a_planned_cancel_is_waited_for(
    recording: Recording, start: Any, then: str, code: int, out: bytes
) -> None:
    one_shot(recording, 5)
    agent = start(f"cancel:{then}@event=1")
    assert agent.line() == {"type": "system", "subtype": "init"}
    agent.process.send_signal(signal.SIGINT)
    assert agent.end_unclosed() == (code, out)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("exit:1@event=99", "can never happen here (the agent's stdout has 4 events, "),
        ("status:500", "the agent cannot do that"),
        ("cut:reset@event=1", "is a pipe, which has no reset; use clean, or kill"),
    ],
)
def test_a_fault_that_cannot_fire_is_refused_before_anything_is_printed(
    recording: Recording, start: Any, spec: str, said: str
) -> None:
    one_shot(recording)
    code, out, err = start(spec).end()
    assert (code, out) == (2, b"")
    assert said in err.decode()


def test_a_fault_behind_an_ending_is_an_error(recording: Recording, start: Any) -> None:
    one_shot(recording)
    code, _, err = start("exit:1@event=1 duplicate@event=3").end()
    assert code == 2
    assert b"duplicate@event=3 fired 0 of 1 times" in err


@pytest.mark.parametrize("args", [["--version"], ["-v"], ["--", "-v"], ["-p", "--version"]])
def test_hosts_may_ask_for_the_version(recording: Recording, start: Any, args: list[str]) -> None:
    one_shot(recording)
    assert start("", *args).end() == (0, b"2.1.332 (Claude Code)\n", b"")


def test_other_arguments_are_taken_as_they_come(recording: Recording, start: Any) -> None:
    one_shot(recording)
    assert start("", "-p", "--verbose", "--", "--version").end()[1] == ONE_SHOT


def test_a_host_that_stops_reading_ends_the_agent(recording: Recording, start: Any) -> None:
    for _ in range(50):
        recording.line({"type": "x", "text": "y" * 100_000})
    agent = start()
    agent.process.stdout.close()
    assert agent.process.wait(timeout=30) == 1
    agent.process.stdout = None
    agent.process.communicate()


@pytest.mark.parametrize("source", ["/dev/null", "file"])
def test_any_kind_of_stdin_will_do(recording: Recording, tmp_path: Path, source: str) -> None:
    recording.line({"type": "user"}, "in") if source == "file" else None
    recording.line({"type": "result"})
    recording.line({"code": 0}, "exit")
    path = recording.write(tmp_path / "agent.cassette.jsonl")
    if source == "file":
        source = str(tmp_path / "stdin")
        Path(source).write_text('{"type":"user"}\n')
    with Path(source).open("rb") as stdin:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(path), "", "max"],
            stdin=stdin, capture_output=True, timeout=30, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, b'{"type":"result"}\n', b"")


def test_a_cassette_without_an_agent_is_refused(recording: Recording) -> None:
    recording.answer(1)
    with pytest.raises(ReplayError, match="holds no agent's stdio"):
        run_shim(recording.tape())


def test_in_process_a_departure_is_a_value(recording: Recording, tmp_path: Path) -> None:
    one_shot(recording, 3)
    with (tmp_path / "in").open("wb+") as stdin, (tmp_path / "out").open("wb+") as out:
        fds = (stdin.fileno(), out.fileno(), out.fileno())
        plan = make_plan(pacing="max")
        assert run_shim(recording.tape(), plan, fds=fds) == Departure(3)
        with pytest.raises(PlanError):
            run_shim(recording.tape(), make_plan(["status:500"]), fds=fds)
    assert (tmp_path / "out").read_bytes().startswith(ONE_SHOT[:35])


@pytest.mark.parametrize(
    ("ending", "status", "said"),
    [
        ({"code": 300}, 44, b""),  # what a shell would see
        ({"code": 10**20}, 0, b""),
        ({"code": -1}, 255, b""),
        ({"signal": "SIGNOPE"}, 2, b"killed by SIGNOPE, which ends no process here"),
        ({"signal": "SIGSTOP"}, 2, b"killed by SIGSTOP, which ends no process here"),
    ],
)
def test_an_ending_that_cannot_be_is_no_traceback(
    recording: Recording, tmp_path: Path, ending: dict[str, Any], status: int, said: bytes
) -> None:
    recording.line({"type": "result"})
    recording.line(ending, "exit")
    path = recording.write(tmp_path / "agent.cassette.jsonl")
    done = subprocess.run(
        [sys.executable, "-m", "turnreel", "shim", "--pacing", "max", str(path)],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (status, b'{"type":"result"}\n')
    assert said in done.stderr and done.stderr.count(b"\n") == bool(said)


def test_a_pause_of_years_is_one_that_a_signal_ends(recording: Recording, tmp_path: Path) -> None:
    recording.line({"type": "result"})
    recording.line({"code": 0}, "exit", after_us=10**15)
    agent = Agent(recording.write(tmp_path / "agent.cassette.jsonl"), "", "recorded")
    assert agent.line() == {"type": "result"}
    agent.process.send_signal(signal.SIGTERM)
    assert agent.end()[0] == -signal.SIGTERM
