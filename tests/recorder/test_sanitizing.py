"""Sanitizing again: what may stay stays, what is refused is refused, twice is once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from turnreel.cassettes import CassetteError, Existing, Record, open_cassette
from turnreel.cassettes.turnfile import render_turns
from turnreel.lifecycle.fold import fold
from turnreel.recorder import RecorderError
from turnreel.recorder.linting import lint
from turnreel.recorder.project_policy import parse_project_policy
from turnreel.recorder.sanitizing import sanitize
from turnreel.replayer import refeed

LIBRARY = Path(__file__).parents[2] / "cassettes" / "library"
CASSETTES = sorted(LIBRARY.rglob("*.cassette.jsonl"))


@pytest.fixture
def source() -> Path:
    return next(path for path in CASSETTES if path.name == "multi-tool.cassette.jsonl")


def said(path: Path) -> list[Record]:
    return list(open_cassette(path))


@pytest.mark.parametrize("path", CASSETTES, ids=lambda path: path.name.partition(".")[0])
def test_what_was_clean_stays_as_it_is_and_twice_is_once(path: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "1.cassette.jsonl", tmp_path / "2.cassette.jsonl"
    sanitize(path, first, profile="fixture")
    assert said(first) == said(path)
    before = open_cassette(path).header
    assert open_cassette(first).header.sanitized_from == (before.sanitized_from or before.id)
    sanitize(first, second, profile="fixture")
    assert second.read_bytes() == first.read_bytes()


def test_a_strict_cassette_comes_from_a_fixture(source: Path, tmp_path: Path) -> None:
    strict, again = tmp_path / "s.cassette.jsonl", tmp_path / "t.cassette.jsonl"
    sanitize(source, strict, profile="strict")
    assert open_cassette(strict).header.profile == "strict"
    assert lint(strict).found == ()
    shapes = [(r.at_us, r.track, r.code, r.exchange) for r in said(source)]
    assert [(r.at_us, r.track, r.code, r.exchange) for r in said(strict)] == shapes
    before = render_turns(fold(refeed.events(open_cassette(source))))
    after = render_turns(fold(refeed.events(open_cassette(strict))))
    assert before != after
    assert [row.split()[0] for row in after.splitlines()] == [
        row.split()[0] for row in before.splitlines()
    ]
    sanitize(strict, again, profile="strict")
    assert again.read_bytes() == strict.read_bytes()


def test_no_fixture_comes_from_a_strict_cassette(source: Path, tmp_path: Path) -> None:
    strict, target = tmp_path / "s.cassette.jsonl", tmp_path / "t.cassette.jsonl"
    sanitize(source, strict, profile="strict")
    with pytest.raises(RecorderError, match="strict, and its texts cannot be had back"):
        sanitize(strict, target, profile="fixture")
    assert not target.exists()


def test_what_todays_rules_find_is_gone_and_counted(source: Path, tmp_path: Path) -> None:
    """A recording of a time whose rules did not know this kind of secret."""
    secret = "sk-ant-api03-" + "A1b2C3d4E5f6G7h8" * 5 + "AA"
    *body, _ = source.read_text().splitlines()
    place = next(n for n, row in enumerate(body) if '"text":"' in row and '"assistant"' in row)
    record = json.loads(body[place])
    record[3]["message"]["content"][0]["text"] += f" {secret}"
    body[place] = json.dumps(record, separators=(",", ":"))
    leaky = tmp_path / "leaky.cassette.jsonl"
    leaky.write_text("\n".join(body) + "\n")
    with pytest.raises(RecorderError, match="has no seal"):
        sanitize(leaky, tmp_path / "x.cassette.jsonl", profile="fixture")
    from turnreel.cassettes.recover import recover

    recover(leaky)
    target = tmp_path / "clean.cassette.jsonl"
    sanitize(leaky, target, profile="fixture")
    assert secret not in target.read_text()
    cassette = open_cassette(target)
    assert cassette.seal is not None and cassette.seal.report is not None
    assert sum(cassette.seal.report["replaced"].values()) == 1
    assert "a check against the recorder's own secrets" in cassette.header.lacks
    again = tmp_path / "again.cassette.jsonl"
    sanitize(target, again, profile="fixture")
    assert again.read_bytes() == target.read_bytes()


def test_an_existing_target_is_refused_or_replaced_when_whole(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.cassette.jsonl"
    target.write_text("precious")
    with pytest.raises(CassetteError, match="exists already"):
        sanitize(source, target, profile="fixture")
    assert target.read_text() == "precious"
    sanitize(source, target, profile="fixture", existing=Existing.REPLACE)
    sanitize(target, target, profile="fixture", existing=Existing.REPLACE)
    assert open_cassette(target).seal is not None
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_a_source_that_is_damaged_leaves_no_target(source: Path, tmp_path: Path) -> None:
    damaged, target = tmp_path / "d.cassette.jsonl", tmp_path / "t.cassette.jsonl"
    damaged.write_text(source.read_text().replace("Bash", "Bosh", 1))
    with pytest.raises(CassetteError, match="digest"):
        sanitize(damaged, target, profile="fixture")
    assert not target.exists()


def test_the_projects_lines_are_named_by_their_digest(source: Path, tmp_path: Path) -> None:
    policy = parse_project_policy("[claude-stream-json]\nframe system/init shard int\n")
    target = tmp_path / "t.cassette.jsonl"
    sanitize(source, target, profile="fixture", policy=policy)
    assert open_cassette(target).header.project_policy == policy.digest
    assert lint(target, policy).found == ()
    assert [found.rule for found in lint(target).found] == ["outdated"]
