"""The library is what this repository asks of every other: clean, by today's rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnreel.recorder.linting import lint
from turnreel.recorder.project_policy import ProjectPolicy, read_project_policy

TOP = Path(__file__).parents[2]
POLICY = TOP / "turnreel-policy.txt"
CASSETTES = sorted((TOP / "cassettes" / "library").rglob("*.cassette.jsonl"))


@pytest.mark.parametrize("path", CASSETTES, ids=lambda path: path.name.partition(".")[0])
def test_lint_finds_nothing(path: Path) -> None:
    found = lint(path, read_project_policy(POLICY)).found
    assert [one for one in found if one.level == "error"] == []


def test_each_argued_line_is_needed() -> None:
    """What the policy masks on purpose is met: a line that speaks of nothing goes."""
    (lines,) = read_project_policy(POLICY).lines.values()
    unlisted = [
        one.what
        for path in CASSETTES
        for one in lint(path, ProjectPolicy()).found
        if one.rule == "unlisted"
    ]
    assert len(unlisted) == len(lines) > 0
    for line in lines:
        assert any(line.variant in what and line.path in what for what in unlisted)
