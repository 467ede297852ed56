"""Every way a command can end, and that none of them is a traceback."""

from __future__ import annotations

import errno
import signal
import subprocess
import sys

import click
import pytest

from tests.cli.captures import COMPLETED, native
from tests.cli.command import Turnreel
from turnreel.cli.failures import DEFECT, USAGE, explain
from turnreel.wire.errors import TurnreelError


@pytest.mark.parametrize(
    ("error", "line", "status"),
    [
        (TurnreelError("a.jsonl:3: no seal", "turnreel recover a.jsonl"),
         "a.jsonl:3: no seal (turnreel recover a.jsonl)", USAGE),
        (TurnreelError("no\nsecond\nline"), "no second line", USAGE),
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "a.jsonl"),
         "a.jsonl: no such file or directory", USAGE),
        (PermissionError(errno.EACCES, "Permission denied", b"a.jsonl"),
         "a.jsonl: permission denied", USAGE),
        (OSError(errno.ENOSPC, "No space left on device"), "no space left on device", USAGE),
        (ModuleNotFoundError("No module named 'mitmproxy'", name="mitmproxy.options"),
         "this needs mitmproxy (pip install 'turnreel[record]')", USAGE),
        (click.UsageError("No such option."), "no such option", USAGE),
        (click.ClickException("It is so."), "It is so.", USAGE),
        (KeyError("x"),
         "a defect of turnreel, please report it: KeyError: 'x' (TURNREEL_DEBUG=1 shows where)",
         DEFECT),
    ],
)  # fmt: skip
def test_an_error_is_one_line_and_a_status(error: Exception, line: str, status: int) -> None:
    assert explain(error) == (line, status)


def test_a_module_of_ours_that_is_missing_is_our_defect() -> None:
    line, status = explain(ModuleNotFoundError("No module named 'turnreel.x'", name="turnreel.x"))
    assert status == DEFECT
    assert "turnreel.x" in line


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["shwo"], "no such command: shwo (did you mean `turnreel show`?)"),
        (["zzzzzz"], "no such command: zzzzzz (see turnreel --help)"),
        (["--colour"], "no such option '--colour' (see turnreel --help)"),
        ([], "missing command (see turnreel --help)"),
        (["import"], "missing command (see turnreel import --help)"),
        (["doctor", "now"], "got unexpected extra argument (now) (see turnreel doctor --help)"),
    ],
)
def test_usage_is_answered_in_one_line(turnreel: Turnreel, words: list[str], said: str) -> None:
    answer = turnreel(*words)
    assert answer.status == USAGE
    assert answer.one_line() == said
    assert answer.out == ""


def test_what_the_parser_suggests_stays_on_the_line(turnreel: Turnreel) -> None:
    said = turnreel("completion").one_line()
    assert said.startswith("missing argument 'SHELL' (choose from: bash")
    assert said.endswith("see turnreel completion --help)")


def test_debug_adds_the_traceback(turnreel: Turnreel) -> None:
    answer = turnreel("shwo", env={"TURNREEL_DEBUG": "1"})
    assert answer.status == USAGE
    assert "Traceback" in answer.err
    assert answer.err.splitlines()[-1].startswith("turnreel: no such command")


def test_a_reader_that_leaves_is_no_error() -> None:
    """As for any program in a pipe: silence, and the status of SIGPIPE."""
    program = (
        "import os, sys\n"
        "sys.stdout = os.fdopen(int(sys.argv[1]), 'w')\n"
        "from turnreel.cli.failures import run\n"
        "sys.exit(run(['--help']))"
    )
    with subprocess.Popen(["true"], stdin=subprocess.PIPE) as reader:
        assert reader.stdin is not None
        reader.wait()
        child = subprocess.run(
            [sys.executable, "-c", program, str(reader.stdin.fileno())],
            pass_fds=[reader.stdin.fileno()],
            capture_output=True,
            text=True,
            check=False,
        )
    assert (child.returncode, child.stderr) == (141, "")


def test_ctrl_c_is_silent() -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "turnreel", "translate"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdin is not None and child.stdout is not None
    child.stdin.write(native(COMPLETED))
    child.stdin.flush()
    assert b"run.started" in child.stdout.readline()  # it is at work
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=20)
    assert (child.returncode, err) == (130, b"")


def test_version_is_one_line(turnreel: Turnreel) -> None:
    import turnreel as package

    assert turnreel("--version").out == f"turnreel {package.__version__}\n"
