"""A recording of prose has no dialect and no run: verify checks its form and its bytes."""

from __future__ import annotations

from pathlib import Path

from turnreel.adapters.registry import NO_DIALECT
from turnreel.cassettes import AgentInfo, Origin, TrackSpec
from turnreel.conformance.verify import verify
from turnreel.recorder.landing import Landing
from turnreel.recorder.messages import Plan
from turnreel.sanitizers import Raw
from turnreel.wire.units import LineFraming, TextUnit


def test_prose_is_no_failure(tmp_path: Path) -> None:
    target = tmp_path / "prose.cassette.jsonl"
    landing = Landing(
        Plan(
            target=str(target),
            replaces=False,
            agent=AgentInfo("claude", "2.1.332"),
            tracks=(TrackSpec(id="agent", carrier="stdio", dialect=NO_DIALECT),),
            profile="fixture",
            origin=Origin(kind="generated"),
        )
    )
    landing.land([Raw(0, "agent", "out", TextUnit("The total is 76.", LineFraming()))])
    landing.land([Raw(1_000, "agent", "exit", {"code": 0})])
    landing.seal()
    report = verify([target], jobs=1)
    assert [result.findings for result in report.results] == [()]
