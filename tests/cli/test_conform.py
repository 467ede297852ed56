"""``turnreel conform``: what a person sees of a child."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from tests.cli.command import Turnreel

LIBRARY = Path(__file__).parents[2] / "cassettes" / "library"
OWN = f"{sys.executable} -m turnreel translate --lockstep"


def test_our_own_adapters_conform(turnreel: Turnreel) -> None:
    library = LIBRARY / "claude-stream-json" / "2.1.215"
    answer = turnreel("conform", "--command", OWN, library)
    assert answer.status == 0, answer.out
    assert re.search(r"\n11 cassettes, 37 turns, \d+ cases, 0 failed", answer.out)
    assert "\nscenario              " in answer.out, "one matrix beneath the other"


def test_scenarios_alone(turnreel: Turnreel) -> None:
    """Who has no recording yet is held against the scenarios."""
    asked = ("--command", OWN, "--dialect", "codex-exec")
    answer = turnreel("conform", *asked, "--scenario", "retried", "--scenario", "approved")
    assert answer.status == 0, answer.out
    told = answer.out.splitlines()
    assert told[:3] == ["scenario  codex-exec", "retried   ok", "approved  -"]
    assert told[-1].startswith("2 turns, ")
    every = turnreel("conform", *asked, "--json")
    assert (every.status, len(json.loads(every.out)["results"])) == (0, 37)


def test_a_known_failure_fails_no_child(turnreel: Turnreel, tmp_path: Path) -> None:
    known = tmp_path / "known.toml"
    known.write_text(
        '[[failure]]\ndialect = "codex-exec"\nscenario = "retried"\n'
        'reason = "it is new"\nurl = "https://example.org/1"\n'
    )
    dying = f"{sys.executable} -c \"import sys; sys.exit('no luck')\""
    asked = ("--command", dying, "--dialect", "codex-exec", "--scenario", "retried")
    answer = turnreel("conform", *asked, "--expected", str(known))
    assert (answer.status, answer.out.splitlines()[1]) == (0, "retried   known")


def test_a_dialect_nobody_recorded_is_a_mistake(turnreel: Turnreel) -> None:
    answer = turnreel("conform", "--command", OWN, "--dialect", "none-such", LIBRARY)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.count("\n") == 1


def test_findings_are_told_and_reported(turnreel: Turnreel, tmp_path: Path) -> None:
    library = LIBRARY / "claude-stream-json" / "2.1.215"
    dying = f"{sys.executable} -c \"import sys; sys.exit('no luck')\""
    answer = turnreel("conform", "--command", dying, library, "--report", "out.xml")
    assert answer.status == 1
    assert "form: death: it ended with 1; it said: no luck" in answer.out
    assert "no luck" in (tmp_path / "out.xml").read_text()
    told = json.loads(turnreel("conform", "--command", dying, library, "--json").out)
    assert told["ok"] is False


@pytest.mark.parametrize("line", ["", "'unclosed", "/no/such/program x"])
def test_a_command_that_cannot_be_started_is_one_line(turnreel: Turnreel, line: str) -> None:
    answer = turnreel("conform", "--command", line, LIBRARY)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
