"""``turnreel conform`` without a command: scenarios in the adapters of this installation."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.command import Turnreel

ONE = ("--dialect", "codex-exec", "--scenario", "retried", "--jobs", "1")


def test_one_scenario_as_a_matrix_and_in_every_form(turnreel: Turnreel, tmp_path: Path) -> None:
    forms = [tmp_path / f"told.{form}" for form in ("json", "xml", "html", "md")]
    reports = [word for form in forms for word in ("--report", str(form))]
    told = turnreel("conform", *ONE, *reports)
    assert told.status == 0
    assert told.out.splitlines()[:2] == ["scenario  codex-exec", "retried   ok"]
    assert "1 turn, " in told.out
    assert json.loads(forms[0].read_text())["results"][0]["scenario"] == "retried"
    suites = ElementTree.parse(forms[1]).getroot()
    assert (suites.get("failures"), suites[0].get("name")) == ("0", "codex-exec/retried")
    assert all(b"codex-exec" in form.read_bytes() for form in forms[2:])


def test_what_cannot_be_told_is_shown_with_its_reason(turnreel: Turnreel, tmp_path: Path) -> None:
    page = tmp_path / "told.md"
    words = ("--dialect", "codex-exec", "--scenario", "approved", "--jobs", "1")
    told = turnreel("conform", *words, "--report", str(page))
    assert told.status == 0
    assert told.out.splitlines()[1].split() == ["approved", "-"]
    assert "approvals are refused inside the agent" in page.read_text()


def test_a_stale_entry_of_known_failures_fails(turnreel: Turnreel, tmp_path: Path) -> None:
    known = tmp_path / "known.toml"
    known.write_text(
        '[[failure]]\ndialect = "codex-exec"\nscenario = "retried"\n'
        'reason = "it was so"\nurl = "https://example.org/1"\n'
    )
    told = turnreel("conform", *ONE, "--expected", str(known))
    assert told.status == 1
    assert "scenario Q4: does not fail any more: it was so" in told.out


def test_the_hand_off_of_a_release(turnreel: Turnreel, tmp_path: Path) -> None:
    page = tmp_path / "release.md"
    assert turnreel("conform", *ONE, "--record", str(page)).status == 0
    told = page.read_text()
    for heading in ("Commands", "Results", "Adapters", "Skipped", "Residual limits"):
        assert f"\n## {heading}" in told
    assert "| commit | " in told
    assert "approvals are refused inside the agent" in told


def test_part_of_the_scenarios_qualifies_nobody(turnreel: Turnreel) -> None:
    told = turnreel("conform", *ONE, "--qualify")
    assert told.status == 2
    assert "codex-exec was not asked for" in told.one_line()


def test_drawn_turns(turnreel: Turnreel) -> None:
    told = turnreel("conform", "--dialect", "codex-exec", "--generate", "5", "--seed", "3")
    assert told.status == 0
    assert told.out.splitlines()[1].split() == ["drawn", "turns", "ok"]
    assert "seed 3" in told.out


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("cassettes",), "PATHS are for --command"),
        (("--scenario", "nope"), "no scenario is called nope"),
        (("--dialect", "openai-chat"), "openai-chat tells no turns"),
        (("--dialect", "nobody"), "unknown dialect 'nobody'"),
        (("--expected", "absent.toml"), "absent.toml: no such file"),
        (("--generate", "5", "--qualify"), "drawn turns are no scenarios"),
        (("--command", "true", "--generate", "5"), "for adapters of this installation"),
        (("--command", "true", "--scenario", "retried"), "nothing says which dialect"),
        (("--command", "true"), "nothing says which dialect"),
        (("--command", "true", "--scenario", "nope"), "no scenario is called nope"),
        ((*ONE, "--report", "told.pdf"), "a report is .json"),
    ],
)
def test_a_mistake_is_one_line(turnreel: Turnreel, words: tuple[str, ...], wrong: str) -> None:
    told = turnreel("conform", *words)
    assert told.status == 2
    assert wrong in told.one_line()
