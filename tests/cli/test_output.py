"""Tables: plain for pipes, drawn for terminals."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

from tests.cli.command import Turnreel

PROGRAM = """
from turnreel.cli.output import table
table(["what", "state"], [["a long name", "ok"], ["b", "failed"]])
"""


def test_a_cell_commands_no_terminal() -> None:
    program = "from turnreel.cli.output import table\ntable(['what'], [['\\x1b[2Jgone\\x9b1m']])"
    for shown in (
        on_a_terminal(program),
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout,
    ):
        assert "\x1b[2J" not in shown and "\x9b" not in shown
        assert "\ufffd[2Jgone\ufffd1m" in shown


MOVES = """
from turnreel.cli.output import progress
with progress("verify") as moved:
    for done in range(4):
        moved(done, 3)
"""


def on_a_terminal(program: str, **env: str) -> str:
    """What the program writes when its stdout and stderr are a terminal."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", **env},
    )
    os.close(theirs)
    written = b""
    try:
        while piece := os.read(ours, 65_536):
            written += piece
    except OSError:
        pass  # a terminal whose last writer is gone ends with an error instead of an end
    os.close(ours)
    assert child.wait() == 0
    return written.decode()


def test_a_pipe_gets_plain_columns() -> None:
    child = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert child.stdout == "what         state\na long name  ok\nb            failed\n"


def test_a_terminal_gets_colour_unless_it_declines() -> None:
    assert "\x1b[" in on_a_terminal(PROGRAM, NO_COLOR="")
    drawn = on_a_terminal(PROGRAM, NO_COLOR="1")
    assert "\x1b[3" not in drawn
    assert "a long name" in drawn


def test_progress_is_drawn_on_terminals_only() -> None:
    assert "verify" in on_a_terminal(MOVES)
    child = subprocess.run([sys.executable, "-c", MOVES], capture_output=True, check=True)
    assert (child.stdout, child.stderr) == (b"", b"")


def test_doctor_speaks_to_people_and_programs(turnreel: Turnreel) -> None:
    people = turnreel("doctor")
    programs = turnreel("doctor", "--json")
    assert people.status == programs.status == 0
    findings = json.loads(programs.out)
    assert {"python", "click", "open files"} <= {finding["what"] for finding in findings}
    assert all(finding["what"] in people.out for finding in findings)
