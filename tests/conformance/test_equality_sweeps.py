"""Scenarios of every dialect as cassettes under the sweeps: cut, cancelled, doubled, replayed and
re-chunked at every frame, each dialect's turn stays the one that all agree on (Q2).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from turnreel.adapters import registry
from turnreel.adapters.steps import Unsayable
from turnreel.cassettes import Existing, open_cassette
from turnreel.conformance import goldens
from turnreel.conformance.scenarios import compare, record_scenario, required, unsayable
from turnreel.conformance.verify import verify
from turnreel.lifecycle.fold import fold
from turnreel.replayer import refeed

AGENTS = [d for d in registry.dialects() if registry.adapter(d).info.tier != "provider"]


@pytest.mark.parametrize("dialect", AGENTS)
def test_what_all_dialects_agree_on_survives_the_sweeps(tmp_path: Path, dialect: str) -> None:
    claims = registry.adapter(dialect).info.claims
    assert claims is not None
    played = 0
    for scenario in required():
        target = tmp_path / f"{scenario.id}.cassette.jsonl"
        try:
            record_scenario(scenario, dialect, target, Existing.REFUSE)
        except Unsayable as error:
            assert unsayable(scenario, claims, error).state == "unsaid"
            continue
        events = refeed.events(open_cassette(target))
        goldens.write(target, events)
        assert compare(scenario, claims, tuple(fold(events))).faults == ()
        played += 1
    report = verify([tmp_path], jobs=1)
    assert [(one.path, one.findings) for one in report.results if one.findings] == []
    assert len(report.results) == played >= len([one for one in required() if one.tier == "core"])
