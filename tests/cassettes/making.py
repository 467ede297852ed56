"""What the tests make cassettes of."""

from __future__ import annotations

from pathlib import Path

from turnreel.cassettes import AgentInfo, Origin, Outline, TrackSpec
from turnreel.sanitizers.records import PASS, Clean
from turnreel.sanitizers.report import Report
from turnreel.wire import Json, JsonUnit, LineFraming, Unit

FIXTURES = Path(__file__).parent / "fixtures"
REPORT = Report(replaced={"key": 1}, unlisted=())

OUTLINE = Outline(
    agent=AgentInfo("claude", "2.1.332"),
    tracks=(
        TrackSpec(id="agent", carrier="stdio", dialect="claude-stream-json"),
        TrackSpec(id="provider", carrier="http", dialect="anthropic-messages"),
        TrackSpec(id="host", carrier="host", dialect="host"),
    ),
    policies={"claude-stream-json": 1},
    rules=1,
    profile="fixture",
    origin=Origin(kind="generated"),
)


def clean(
    at_us: int,
    body: Unit | dict[str, Json],
    code: str = "out",
    track: str = "agent",
    exchange: int | None = None,
    reads: tuple[int, ...] | None = None,
) -> Clean:
    """A record as the sanitizer would give it."""
    return Clean(PASS, at_us, track, code, body, exchange, reads)


def line(number: int) -> Clean:
    """The n-th of many small records, a millisecond apart."""
    return clean(number * 1_000, JsonUnit({"type": "tick", "n": number}, LineFraming()))
