"""fixture: from a recording to what CI holds every change against, in one command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Turnreel
from turnreel.cassettes import open_cassette
from turnreel.cli.fixture import numbers

ISSUE = ("--issue", "https://example.com/issues/412")
NOT_CI = {"CI": ""}


@pytest.fixture
def session(tmp_path: Path, sealed: bytes) -> Path:
    path = tmp_path / "broken.cassette.jsonl"
    path.write_bytes(sealed)
    return path


def test_a_fixture_is_held_by_verify(turnreel: Turnreel, session: Path, tmp_path: Path) -> None:
    made = turnreel("fixture", "new", "answer-lost", "--from", session, *ISSUE, env=NOT_CI)
    assert (made.status, made.err) == (0, "")
    cassette = Path("cassettes/answer-lost.cassette.jsonl")
    assert f"held by: turnreel verify {cassette}" in made.out
    assert "cassettes/answer-lost.turn: as it comes out today" in made.out
    assert open_cassette(tmp_path / cassette).header.issue == ISSUE[1]
    assert turnreel("verify").status == 0
    again = turnreel("fixture", "new", "answer-lost", "--from", session, *ISSUE, env=NOT_CI)
    assert again.status == 2
    assert "exists already" in again.one_line()


def test_the_folder_is_the_projects(turnreel: Turnreel, session: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.turnreel]\ncassettes = ["tests/held"]\n')
    words = ("--from", session, "--keep-text", *ISSUE)
    assert turnreel("fixture", "new", "one", *words, env=NOT_CI).status == 0
    assert "It is **42**." in (tmp_path / "tests/held/one.turn").read_text()
    assert turnreel("fixture", "new", "two", *words, "--into", "here", env=NOT_CI).status == 0
    assert (tmp_path / "here/two.cassette.jsonl").exists()


def test_minimize_says_what_it_kept(turnreel: Turnreel, session: Path, tmp_path: Path) -> None:
    answer = turnreel("fixture", "minimize", session, "--to", "less.cassette.jsonl")
    assert (answer.status, answer.err) == (0, "")
    assert "kept: every clause holds, the turn is the same" in answer.out
    turns = [
        turnreel("show", one, "--part", "turns").out for one in (session, "less.cassette.jsonl")
    ]
    assert turns[0] == turns[1]
    kept = turnreel("fixture", "minimize", session, "--to", "k.cassette.jsonl", "--keep", "1-2")
    assert kept.status == 0
    less, more = (len(list(open_cassette(tmp_path / name))) for name in
                  ("less.cassette.jsonl", "k.cassette.jsonl"))  # fmt: skip
    assert less < more


def test_a_scenario_becomes_a_fixture(turnreel: Turnreel, tmp_path: Path) -> None:
    words = ("--scenario", "retry-counted-as-failure", "--dialect", "codex-exec", *ISSUE)
    made = turnreel("fixture", "new", "retry", *words, env=NOT_CI)
    assert (made.status, made.err) == (0, "")
    assert "final" in (tmp_path / "cassettes/retry.turn").read_text()
    assert turnreel("verify", "cassettes").status == 0


def test_a_scenario_may_be_written_by_hand(turnreel: Turnreel, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'requirement = "s"\n[[script]]\nanswer = "It is 76."\n[[script]]\nend = {}\n'
    )
    words = ("--scenario", "mine.toml", "--dialect", "hermes-tui", *ISSUE)
    assert turnreel("fixture", "new", "mine", *words, env=NOT_CI).status == 0
    assert '  final "It is 76." healthy' in (tmp_path / "cassettes/mine.turn").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "comes --from a recording or of a --scenario"),
        (("--scenario", "none", "--dialect", "codex-exec"), "no scenario is called none"),
        (("--scenario", "retry-counted-as-failure"), "go together"),
        (("--from", "absent.cassette.jsonl"), "absent.cassette.jsonl: no such file"),
    ],
)
def test_a_mistake_is_one_line(turnreel: Turnreel, words: tuple[str, ...], said: str) -> None:
    refused = turnreel("fixture", "new", "name", *words, *ISSUE, env=NOT_CI)
    assert refused.status == 2
    assert said in refused.one_line()


def test_ci_makes_no_fixtures(turnreel: Turnreel, session: Path, tmp_path: Path) -> None:
    refused = turnreel("fixture", "new", "a", "--from", session, *ISSUE, env={"CI": "true"})
    assert refused.status == 2
    assert "not accepted in CI" in refused.one_line()
    assert not (tmp_path / "cassettes").exists()


@pytest.mark.parametrize("word", ["0", "3-2", "a", "1-99999999", "-1"])
def test_records_are_named_by_numbers(word: str) -> None:
    import click

    assert numbers(("3", "5-7")) == (3, 5, 6, 7)
    with pytest.raises(click.UsageError, match="write a number or a range"):
        numbers((word,))
