"""The founding defects as fixtures, by name: what a reader sees, and what no reader ever sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnreel.adapters import registry
from turnreel.cassettes import Existing, open_cassette
from turnreel.conformance.equality import differences_of_all
from turnreel.conformance.scenarios import Scenario, founding, record_scenario
from turnreel.conformance.scenarios.builtin import order
from turnreel.conformance.scenarios.playing import played
from turnreel.lifecycle.fold import CommentaryEntry, RunView, fold
from turnreel.replayer import refeed

DIALECT = "claude-stream-json"
LIBRARY = Path(__file__).resolve().parents[2] / "cassettes" / "library"
BY_NAME = {scenario.id: scenario for scenario in founding()}


def turn(folder: Path, scenario: Scenario) -> RunView:
    """The one turn of a scenario, recorded and read back."""
    target = folder / f"{scenario.id}.cassette.jsonl"
    record_scenario(scenario, DIALECT, target, Existing.REFUSE)
    (view,) = fold(refeed.events(open_cassette(target)))
    return view


def thinking(view: RunView) -> list[str]:
    return [entry.text for entry in view.entries if isinstance(entry, CommentaryEntry)]


def answer(view: RunView) -> str:
    assert view.terminal is not None
    assert view.terminal.type == "final"
    return view.terminal.text


def test_progress_joined_to_the_final(tmp_path: Path) -> None:
    view = turn(tmp_path, BY_NAME["progress-joined-to-the-final"])
    assert thinking(view) == ["I'll check the first sheet.", "Now the second sheet."]
    assert answer(view) == "The total is **76**."


def test_a_table_broken_by_joined_progress(tmp_path: Path) -> None:
    view = turn(tmp_path, BY_NAME["table-broken-by-joined-progress"])
    assert answer(view).startswith("Here are the totals:\n\n| region | total |\n| --- | ---: |\n")
    assert "| region | total |" in answer(view).splitlines()


def test_sentences_joined_without_separator(tmp_path: Path) -> None:
    view = turn(tmp_path, BY_NAME["sentences-joined-without-separator"])
    assert thinking(view) == ["That is the north's subtotal.", "The south comes next."]
    assert not any("subtotal.The" in text for text in [*thinking(view), answer(view)])


def test_the_result_suppressed_because_text_had_streamed(tmp_path: Path) -> None:
    view = turn(tmp_path, BY_NAME["result-suppressed-after-streaming"])
    assert answer(view) == "The total is 76, south included."
    assert thinking(view) == ["I'll add up the sheets."]
    assert view.health == "recovered"


KEPT = [(dialect, name) for dialect, names in order().founded.items() for name in names]


@pytest.mark.parametrize(("dialect", "name"), KEPT)
def test_the_library_holds_what_the_scenario_says(tmp_path: Path, dialect: str, name: str) -> None:
    (kept,) = (LIBRARY / dialect).glob(f"*/{name}.cassette.jsonl")
    fresh = tmp_path / "fresh.cassette.jsonl"
    record_scenario(BY_NAME[name], dialect, fresh, Existing.REFUSE)
    # The header tells the versions of policy and rules, and the seal's digest covers it.
    assert kept.read_bytes().splitlines()[1:-1] == fresh.read_bytes().splitlines()[1:-1]
    assert kept.with_name(f"{name}.turn").is_file()


@pytest.mark.parametrize(("dialect", "name"), KEPT)
def test_the_turn_that_hosts_got_wrong_is_the_one_in_the_file(dialect: str, name: str) -> None:
    claims = registry.adapter(dialect).info.claims
    assert claims is not None
    scenario = BY_NAME[name]
    told = tuple(fold(played(dialect, scenario.script)))
    found = differences_of_all(scenario.views, told, scenario.trouble) - claims.impossible()
    assert found <= {"activities"}  # some agents read files by commands
