"""Every line of every turn has its clause, what that demands, and the records behind it."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnreel.adapters.steps import Unsayable
from turnreel.cassettes import Existing
from turnreel.conformance.coverage import every_clause
from turnreel.conformance.discovery import cassettes_under
from turnreel.conformance.goldens import golden_path
from turnreel.conformance.qualifying import with_turns
from turnreel.conformance.reasons import FRAMES, Line, explain
from turnreel.conformance.scenarios import built_in, record_scenario, required

LIBRARY = Path(__file__).parents[2] / "cassettes" / "library"


def test_every_line_of_the_library_is_explained() -> None:
    tried = 0
    for path in cassettes_under([LIBRARY]):
        told = explain(path)
        texts = golden_path(path).read_text(encoding="utf-8").splitlines()
        assert [line.text for line in told.lines] == texts, path
        assert [line.number for line in told.lines] == [*range(1, len(texts) + 1)], path
        for line in told.lines:
            _require_reason(line, told.frames)
            tried += 1
    assert tried > 1000


@pytest.mark.parametrize("dialect", with_turns())
def test_every_line_of_every_scenario_is_explained(dialect: str, tmp_path: Path) -> None:
    for scenario in required():
        target = tmp_path / f"{scenario.id}.cassette.jsonl"
        try:
            record_scenario(scenario, dialect, target, Existing.REFUSE)
        except Unsayable:
            continue  # the dialect declares it: tests of equality hold it to that
        told = explain(target)
        assert told.lines
        for line in told.lines:
            _require_reason(line, told.frames)


def _require_reason(line: Line, frames: dict[int, str]) -> None:
    assert line.clause in every_clause() and line.demands
    assert line.records and set(line.records) <= set(frames)
    assert len(line.records) <= FRAMES


def test_a_cancel_rests_on_who_asked_for_it(tmp_path: Path) -> None:
    scenario = built_in("cancelled")
    target = tmp_path / "cancelled.cassette.jsonl"
    record_scenario(scenario, "codex-exec", target, Existing.REFUSE)
    told = explain(target)
    end = told.lines[-1]
    assert (end.clause, end.text.split()[0]) == ("T7", "cancelled")
    assert any("signal name=SIGINT" in told.frames[number] for number in end.records)


def test_a_child_stands_beneath_its_parent_with_its_own_reasons() -> None:
    told = (explain(path) for path in cassettes_under([LIBRARY / "claude-stream-json"]))
    nested = [one for one in told if any(line.text == "  run" for line in one.lines)]
    assert nested
    for one in nested:
        starts = [line.records for line in one.lines if line.text.strip() == "run"]
        assert len({*starts}) == len(starts)
