"""Cassettes as tests of their own."""

from __future__ import annotations

from pathlib import Path

from tests.conformance.plugin.suites import Suite


def test_a_project_collects_its_cassettes(suite: Suite, session: Path) -> None:
    suite.settings('cassettes = ["tests/kept"]', "collect = true")
    (suite.folder / "tests").mkdir()
    suite.keep(session, "one", "tests/kept")
    suite.keep(session, "two", "tests/kept")
    suite.keep(session, "elsewhere", "other")
    done = suite.run("-v", "-n", "2")
    assert (done.status, done.counts) == (0, "2 passed"), done.out
    assert "tests/kept/one.cassette.jsonl::verify" in done.out


def test_without_being_asked_it_collects_none(suite: Suite, session: Path) -> None:
    suite.settings('cassettes = ["kept"]')
    kept = suite.keep(session, folder="kept")
    assert suite.run("-q").status == 5  # nothing was collected
    assert suite.run("-q", str(kept)).counts == "1 passed"


def test_what_does_not_hold_is_told_as_verify_tells_it(suite: Suite, session: Path) -> None:
    kept = suite.keep(session)
    golden = kept.with_name("total.turn")
    golden.write_text(golden.read_text().replace("**76**", "**67**"))
    done = suite.run("-q", str(kept))
    assert done.counts == "1 failed"
    assert "golden C2: the turn is not the one in total.turn" in done.out
    assert 'final "The total is **67**.' in done.out
    assert "Traceback" not in done.out
    kept.write_text(kept.read_text().replace("The total is", "The sum is"))
    broken = suite.run("-q", str(kept))
    assert "form: " in broken.out
    assert "the digest in the seal is not the file's" in broken.out


def test_a_setting_that_says_nothing_is_a_mistake(suite: Suite, session: Path) -> None:
    suite.settings('collect = "yes"')
    suite.keep(session)
    done = suite.run("-q")
    assert done.status != 0
    assert "collect is neither true nor false (write it as collect = true)" in done.out
