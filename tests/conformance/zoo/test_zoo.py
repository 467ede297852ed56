"""Every animal of the zoo is caught, by its clauses and no other.

That each checker can fail, and fails alone, is shown with turns made by hand in `test_checkers` and
`test_texts`; adapters that break under a changed stream are in `test_sweeps`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.zoo.animals import ZOO, Animal
from turnreel.adapters import registry
from turnreel.cassettes import Existing
from turnreel.conformance.judging import judged
from turnreel.conformance.native import native_of
from turnreel.conformance.recording import Recording, load
from turnreel.conformance.scenarios import compare, record_scenario, required
from turnreel.lifecycle.events import AnyEvent
from turnreel.lifecycle.fold import fold

BY_NAME = {scenario.id: scenario for scenario in required()}


@pytest.fixture(params=ZOO)
def animal(request: pytest.FixtureRequest) -> Animal:
    return ZOO[request.param]


@pytest.fixture
def recording(animal: Animal, tmp_path: Path) -> Recording:
    target = tmp_path / "one.cassette.jsonl"
    record_scenario(BY_NAME[animal.scenario], animal.dialect, target, Existing.REFUSE)
    return load(target)


def told(recording: Recording) -> list[AnyEvent]:
    translator = recording.translator()
    return [event for one in recording.arrivals for event in translator.feed(one)]


def test_the_good_adapter_breaks_nothing(animal: Animal, recording: Recording) -> None:
    assert judged(told(recording), native_of(recording)) == []


def test_each_is_caught_by_its_clause_alone(animal: Animal, recording: Recording) -> None:
    events = animal.breaks(told(recording))
    assert {one.clause for one in judged(events, native_of(recording))} == animal.clauses


def test_none_gives_the_turn_that_all_agree_on(animal: Animal, recording: Recording) -> None:
    """Where the events break no clause by themselves, this is how it is caught (Q2)."""
    claims = registry.adapter(animal.dialect).info.claims
    assert claims is not None
    events = animal.breaks(told(recording))
    agreed = compare(BY_NAME[animal.scenario], claims, tuple(fold(events)))
    if animal.tells:
        assert any(f"differs in {animal.tells}" in fault for fault in agreed.faults)
    assert animal.clauses or agreed.state == "failed"
