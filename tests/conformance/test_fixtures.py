"""Fixtures: a recording shrunk, its right turn beside it, the report in its header."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.sessions import ANSWERED, TURN, write
from turnreel.cassettes import CassetteError, open_cassette
from turnreel.conformance import fixtures
from turnreel.conformance.errors import AcceptRefused, ConformanceError
from turnreel.conformance.fixtures import ACCEPTED, CARRIED, SHAPED, Wanted
from turnreel.conformance.scenarios import founding, required
from turnreel.conformance.verify import verify
from turnreel.recorder.errors import RecorderError
from turnreel.recorder.linting import lint
from turnreel.recorder.sanitizing import sanitize

ISSUE = "https://example.com/issues/412"


@pytest.fixture(autouse=True)
def no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)


@pytest.fixture
def session(tmp_path: Path) -> Path:
    return write(tmp_path / "session.cassette.jsonl", ANSWERED)


def wanted(folder: Path, name: str = "answer-lost") -> Wanted:
    return Wanted(name=name, folder=folder / "fixtures", issue=ISSUE)


def test_a_fixture_is_strict_and_names_its_report(tmp_path: Path, session: Path) -> None:
    made = fixtures.from_recording(wanted(tmp_path), session)
    header = open_cassette(made.cassette).header
    assert (header.issue, header.profile) == (ISSUE, "strict")
    assert header.minimized_from == open_cassette(session).header.id
    assert made.golden_is == ACCEPTED
    assert "total" not in made.cassette.read_text() + made.golden.read_text()
    assert verify([made.cassette], jobs=1).ok
    assert [one for one in lint(made.cassette).found if one.level == "error"] == []


def test_the_right_turn_comes_along_although_the_code_is_wrong(
    tmp_path: Path, session: Path
) -> None:
    right = TURN.replace("file_read ok", "file_read failed")
    session.with_name("session.turn").write_text(right, encoding="utf-8")
    made = fixtures.from_recording(wanted(tmp_path), session, profile="fixture")
    assert (made.golden_is, made.golden.read_text(encoding="utf-8")) == (CARRIED, right)
    (finding,) = verify([made.cassette], jobs=1).results[0].findings
    assert finding.check == "golden"
    shaped = fixtures.from_recording(wanted(tmp_path, "shaped"), session)
    assert shaped.golden_is == SHAPED


def test_a_right_turn_that_comes_out_needs_no_word(tmp_path: Path, session: Path) -> None:
    session.with_name("session.turn").write_text(TURN, encoding="utf-8")
    assert fixtures.from_recording(wanted(tmp_path), session).golden_is == ACCEPTED


def test_sanitizing_again_keeps_the_report(tmp_path: Path, session: Path) -> None:
    made = fixtures.from_recording(wanted(tmp_path), session)
    again = tmp_path / "again.cassette.jsonl"
    sanitize(made.cassette, again, profile="strict")
    assert open_cassette(again).header.issue == ISSUE


def test_a_fixture_of_a_scenario(tmp_path: Path) -> None:
    made = fixtures.from_scenario(wanted(tmp_path), founding()[0], "hermes-session")
    header = open_cassette(made.cassette).header
    assert (header.issue, header.origin.name) == (ISSUE, founding()[0].id)
    assert 'final "The total is **76**."' in made.golden.read_text(encoding="utf-8")
    assert verify([made.cassette], jobs=1).ok
    declined = next(one for one in required() if one.id == "declined")
    other = wanted(tmp_path, "other")
    with pytest.raises(ConformanceError, match="codex-exec cannot say the scenario declined"):
        fixtures.from_scenario(other, declined, "codex-exec")
    assert not other.place().exists()


@pytest.mark.parametrize("name", ["", "../up", "Übel", "a b", ".hidden", "x" * 101])
def test_a_name_is_one_of_a_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConformanceError, match="is no name for a fixture"):
        wanted(tmp_path, name)


@pytest.mark.parametrize(
    "issue",
    ["412", "ftp://example.com/1", "https://", "https://me:secret@example.com/1",
     "https://example.com/a b", "https://[", "https://example.com/\u202e"],
)  # fmt: skip
def test_a_report_has_an_address_that_everybody_may_read(tmp_path: Path, issue: str) -> None:
    with pytest.raises(ConformanceError, match="is not the address") as refused:
        Wanted(name="a", folder=tmp_path, issue=issue)
    assert "secret" not in str(refused.value)


def test_mistakes_leave_what_is_there(
    tmp_path: Path, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = fixtures.from_recording(wanted(tmp_path), session)
    before = made.cassette.read_bytes()
    with pytest.raises(CassetteError, match="exists already"):
        fixtures.from_recording(wanted(tmp_path), session)
    with pytest.raises(RecorderError, match="strict"):
        fixtures.from_recording(wanted(tmp_path, "open"), made.cassette, profile="fixture")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(AcceptRefused):
        wanted(tmp_path)
    assert made.cassette.read_bytes() == before
