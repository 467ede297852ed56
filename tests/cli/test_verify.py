"""verify: paths from the project, goldens, reports."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.command import Turnreel
from turnreel.cli.verify import configured
from turnreel.wire.errors import TurnreelError

NOT_CI = {"CI": ""}


@pytest.fixture
def cassette(tmp_path: Path, sealed: bytes) -> Path:
    path = tmp_path / "one.cassette.jsonl"
    path.write_bytes(sealed)
    return path


def test_a_turn_is_accepted_and_then_verified(turnreel: Turnreel, cassette: Path) -> None:
    missing = turnreel("verify", cassette)
    assert missing.status == 1
    assert "one.turn is missing" in missing.out
    accepted = turnreel("verify", "--accept", cassette, env=NOT_CI)
    assert accepted.status == 0
    golden = cassette.with_name("one.turn")
    assert golden.read_text().splitlines()[-1] == '  final "It is **42**." healthy'
    passed = turnreel("verify", cassette)
    assert (passed.status, passed.err) == (0, "")
    assert "0 failed" in passed.out


def test_ci_accepts_nothing(turnreel: Turnreel, cassette: Path) -> None:
    refused = turnreel("verify", "--accept", cassette, env={"CI": "true"})
    assert refused.status == 2
    assert not cassette.with_name("one.turn").exists()
    assert refused.one_line()


def test_a_wrong_turn_is_explained(turnreel: Turnreel, cassette: Path) -> None:
    turnreel("verify", "--accept", cassette, env=NOT_CI)
    golden = cassette.with_name("one.turn")
    golden.write_text(golden.read_text().replace("42", "41"))
    wrong = turnreel("verify", cassette)
    assert wrong.status == 1
    assert '    final "It is **41**." healthy' in wrong.out
    assert '    final "It is **42**." healthy' in wrong.out


def test_reports_say_the_same_as_the_table(
    turnreel: Turnreel, cassette: Path, tmp_path: Path
) -> None:
    turnreel("verify", "--accept", cassette, env=NOT_CI)
    files = [tmp_path / "report.json", tmp_path / "report.xml"]
    words = [word for file in files for word in ("--report", file)]
    answer = turnreel("verify", cassette, "--json", *words)
    assert answer.status == 0
    assert json.loads(answer.out) == json.loads(files[0].read_text())
    assert ElementTree.parse(files[1]).getroot().get("failures") == "0"
    refused = turnreel("verify", cassette, "--report", "report.pdf")
    assert refused.status == 2
    assert refused.one_line().startswith("report.pdf: a report is .json, .xml, .html or .md")


def test_a_report_that_cannot_be_written_leaves_the_former(
    turnreel: Turnreel, cassette: Path, tmp_path: Path
) -> None:
    former = tmp_path / "report.json"
    former.mkdir()
    (former / "mine").touch()
    answer = turnreel("verify", cassette, "--report", tmp_path / "absent" / "report.json")
    assert answer.status == 2
    assert "absent/report.json: no such file" in answer.one_line()
    assert turnreel("verify", cassette, "--report", former).status == 2
    assert sorted(path.name for path in former.parent.iterdir()) == [
        "one.cassette.jsonl", "report.json"
    ]  # fmt: skip


@pytest.mark.parametrize("settings", ["tool = 5", "[tool]\nturnreel = 5"])
def test_settings_that_are_no_tables_say_nothing(settings: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(settings)
    assert configured(tmp_path) == (tmp_path / "cassettes",)


def test_sweeps_can_be_chosen(turnreel: Turnreel, cassette: Path) -> None:
    only = turnreel("verify", cassette, "--sweep", "cut").out.splitlines()[0]
    assert "cut" in only
    assert "rechunk" not in only
    none = turnreel("verify", cassette, "--sweep", "none").out.splitlines()[0]
    assert none.split()[-1] == "contract"


def test_the_project_names_its_cassettes(turnreel: Turnreel, tmp_path: Path) -> None:
    settings = tmp_path / "pyproject.toml"
    assert configured(tmp_path) == (tmp_path / "cassettes",)
    settings.write_text("[tool.other]\n")
    assert configured(tmp_path) == (tmp_path / "cassettes",)
    settings.write_text('[tool.turnreel]\ncassettes = ["a", "b/c"]\n')
    assert configured(tmp_path) == (tmp_path / "a", tmp_path / "b/c")
    assert str(tmp_path / "a") in turnreel("verify").one_line()


@pytest.mark.parametrize("said", ["[tool", '[tool.turnreel]\ncassettes = "a"\n'])
def test_a_project_file_that_cannot_be_read_is_a_mistake(tmp_path: Path, said: str) -> None:
    (tmp_path / "pyproject.toml").write_text(said)
    with pytest.raises(TurnreelError) as caught:
        configured(tmp_path)
    assert str(tmp_path / "pyproject.toml") in caught.value.message
