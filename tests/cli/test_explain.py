"""``turnreel explain``: why each line of a turn stands there, and what a finding means."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import Turnreel
from turnreel.adapters.steps import Answer, End, Say
from turnreel.cassettes import Existing
from turnreel.conformance.describe import demand
from turnreel.conformance.goldens import golden_path
from turnreel.conformance.scenarios import Scenario, record_scenario

LIBRARY = Path(__file__).parents[2] / "cassettes" / "library"
MULTI = LIBRARY / "claude-stream-json" / "2.1.215" / "multi-tool.cassette.jsonl"


def sections(out: str) -> list[list[str]]:
    return [part.splitlines() for part in out.split("\n\n")]


def test_every_line_has_its_clause_and_its_records(turnreel: Turnreel) -> None:
    answer = turnreel("explain", MULTI)
    assert (answer.status, answer.err) == (0, "")
    _, lines, demands, records, verdict = sections(answer.out)
    turn = golden_path(MULTI).read_text(encoding="utf-8").splitlines()
    assert len(lines) - 1 == len(turn)
    for number, (line, expected) in enumerate(zip(lines[1:], turn, strict=True), 1):
        assert line.startswith(f"{number} ") and expected in line
        clause, *named = line.partition(expected)[2].split()
        assert any(row.split(maxsplit=1) == [clause, demand(clause)] for row in demands)
        assert named and all(any(r.startswith(f"{n} ") for r in records) for n in named)
    assert verdict == ["nothing was found that does not hold"]


def test_a_text_rests_on_where_it_was_said_and_on_what_told_its_role(turnreel: Turnreel) -> None:
    out = turnreel("explain", MULTI, "--line", "2").out
    said, told = sections(out)[3][1:]
    assert "assistant/text" in said and "I'll check a.csv first." in said
    assert "assistant/tool_use" in told, "a tool call in its message makes it commentary"


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        (("--line", "5"), [5]),
        (("--clause", "C1"), [2, 4]),
        (("--run", "1", "--clause", "C2"), [7]),
        (("--clause", "c1"), [2, 4]),
        (("--clause", "S4"), []),
    ],
)
def test_what_is_asked_for_alone(
    turnreel: Turnreel, words: tuple[str, ...], numbers: list[int]
) -> None:
    told = json.loads(turnreel("explain", MULTI, *words, "--json").out)
    assert [line["number"] for line in told["lines"]] == numbers
    named = {str(number) for line in told["lines"] for number in line["records"]}
    assert set(told["records"]) == named
    assert turnreel("explain", MULTI, *words).status == 0


def test_a_wrong_turn_is_shown_beside_the_right_one(turnreel: Turnreel, tmp_path: Path) -> None:
    cassette = Path(shutil.copy(MULTI, tmp_path))
    right = golden_path(MULTI).read_text(encoding="utf-8")
    golden_path(cassette).write_text(right.replace("**76**", "**77**"), encoding="utf-8")
    answer = turnreel("explain", cassette, "--line", "7")
    assert answer.status == 0, "it worked: verify is the judge"
    _, _, _, _, finding, frames, sides = sections(answer.out)
    assert finding[0].startswith("multi-tool.cassette.jsonl: golden C2: the turn is not the one")
    assert finding[1] == f"C2: {demand('C2')}"
    assert frames[0] == "record" and all(re.match(r"#\d+ \+", frame) for frame in frames[1:])
    assert sides[0].split() == ["expected", "actual"]
    differing = [row for row in sides[1:] if row.endswith("differs")]
    assert len(sides) == 8 and len(differing) == 1
    assert "**77**" in differing[0] and "**76**" in differing[0]
    told = json.loads(turnreel("explain", cassette, "--json", "--clause", "C2").out)
    (found,) = told["findings"]
    assert (found["clause"], found["demands"]) == ("C2", demand("C2"))
    assert (
        json.loads(turnreel("explain", cassette, "--json", "--clause", "T1").out)["findings"] == []
    )


def test_a_report_of_a_foreign_adapter(turnreel: Turnreel, tmp_path: Path) -> None:
    """What conform found in somebody's adapter is explained without that adapter."""
    bad = tmp_path / "bad.py"
    bad.write_text(
        "import sys\nfrom turnreel.conformance.answering import answers\n"
        "for answer in answers(sys.stdin.buffer):\n"
        "    sys.stdout.buffer.write(answer.replace(b'**76**', b'**77**'))\n"
        "    sys.stdout.buffer.flush()\n"
    )
    asked = ("--command", f"{sys.executable} {bad}", MULTI, "--dialect", "claude-stream-json")
    assert turnreel("conform", *asked, "--report", "told.json").status == 1
    answer = turnreel("explain", tmp_path / "told.json", "--clause", "C2")
    assert answer.status == 0
    assert f"{MULTI}: golden C2: " in answer.out
    assert f"\nC2: {demand('C2')}\n" in answer.out
    assert re.search(r"final .*76.* final .*77.* differs\n", answer.out)


def test_a_sweep_is_explained_where_it_is_asked_for(turnreel: Turnreel, tmp_path: Path) -> None:
    words = ("explain", MULTI, "--sweep", "cut", "--sweep", "cancel")
    assert turnreel(*words).out.endswith("\nnothing was found that does not hold\n")


def test_a_recording_that_merely_stops(turnreel: Turnreel, tmp_path: Path) -> None:
    stopped = tmp_path / "stopped.cassette.jsonl"
    lines = MULTI.read_bytes().splitlines(keepends=True)
    stopped.write_bytes(b"".join(lines[:-4]))
    told = json.loads(turnreel("explain", stopped, "--json").out)
    assert (told["lines"][-1]["text"].strip(), told["lines"][-1]["clause"]) == ("open", "T3")
    assert {one["check"] for one in told["findings"]} == {"form", "golden"}


def test_it_is_bounded(turnreel: Turnreel, tmp_path: Path) -> None:
    long = tmp_path / "long.cassette.jsonl"
    script = (*(Answer((Say(f"Line {n} of many."),)) for n in range(300)), End())
    record_scenario(Scenario("long", "", (), script), "codex-exec", long, Existing.REFUSE)
    answer = turnreel("explain", long)
    assert answer.status == 0
    assert "101 more lines (--run, --line or --clause says which)" in answer.out
    assert len(answer.out.splitlines()) < 700
    told = json.loads(turnreel("explain", long, "--json").out)
    assert (len(told["lines"]), told["left_out"]["lines"]) == (200, 101)
    assert json.loads(turnreel("explain", long, "--line", "301", "--json").out)["lines"]


def test_a_terminal_gets_tables(turnreel: Turnreel) -> None:
    leader, follower = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "turnreel", "explain", str(MULTI), "--line", "2"],
        stdin=subprocess.DEVNULL, stdout=follower, stderr=follower,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )  # fmt: skip
    os.close(follower)
    shown = b""
    try:
        while part := os.read(leader, 65536):
            shown += part
    except OSError:  # the other end is closed
        pass
    finally:
        os.close(leader)
    assert child.wait(60) == 0
    assert "─" in shown.decode() and b"\x1b[1m" in shown
    assert b"\x1b" not in turnreel("explain", MULTI, "--line", "2").out.encode()


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ((MULTI, "--line", "99"), "there is no line 99 (it has 7 lines)"),
        ((MULTI, "--run", "2"), "there is no run 2 (it has 1 run)"),
        ((MULTI, "--clause", "X9"), "no clause is called X9"),
        (("absent.cassette.jsonl",), "absent.cassette.jsonl: no such file"),
        (("absent.json",), "absent.json: no such file"),
        (("absent.json", "--run", "1"), "a report has no --run"),
    ],
)
def test_a_mistake_is_one_line(
    turnreel: Turnreel, words: tuple[str | Path, ...], wrong: str
) -> None:
    answer = turnreel("explain", *words)
    assert (answer.status, answer.out) == (2, "")
    assert wrong in answer.one_line()


def test_what_is_no_report_is_one_line(turnreel: Turnreel, tmp_path: Path) -> None:
    (tmp_path / "told.json").write_text('{"turnreel_report": ')
    answer = turnreel("explain", "told.json")
    assert (answer.status, answer.out) == (2, "")
    assert "told.json: no report of turnreel" in answer.one_line()


def test_a_report_from_anywhere_acts_on_no_terminal(turnreel: Turnreel, tmp_path: Path) -> None:
    finding = {
        "check": "golden",
        "clause": "C2",
        "message": "\x1b[2Jgone",
        "actual": ["\x1b[2Jrun"],
    }
    result = {"path": "\x1b]0;x", "ok": False, "findings": [finding]}
    report = {"turnreel_report": 1, "ok": False, "seed": 1, "sweeps": [], "seconds": 0.1}
    (tmp_path / "told.json").write_text(json.dumps({**report, "results": [result]}))
    answer = turnreel("explain", "told.json")
    assert answer.status == 0
    assert "gone" in answer.out and "\x1b" not in answer.out
