"""A scenario, and its cassette in the dialects that can render it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from turnreel.adapters.claude_stream_json.render import lines
from turnreel.adapters.registry import adapter
from turnreel.adapters.steps import Script
from turnreel.cassettes import AgentInfo, Existing, Origin, TrackSpec
from turnreel.recorder.landing import Landing
from turnreel.recorder.messages import Plan
from turnreel.sanitizers import Raw
from turnreel.wire.units import Json, JsonUnit, LineFraming

DIALECT: Final = "claude-stream-json"
STEP_US: Final = 10_000
"""Scripted frames come ten milliseconds apart."""


class Scenario(msgspec.Struct, frozen=True):
    """One scripted turn. `sentence` says what a reader must see, or must never see."""

    name: str
    sentence: str
    script: Script


def record_scenario(scenario: Scenario, target: Path, existing: Existing) -> None:
    """Write `scenario` as a sealed cassette of Claude Code's stream at `target`.

    The same scenario gives the same bytes. Raises `CassetteError`: the target exists or cannot be
    written.
    """
    proven = adapter(DIALECT).info.proven
    plan = Plan(
        target=str(target),
        replaces=existing is Existing.REPLACE,
        agent=AgentInfo("claude", proven[-1]),
        tracks=(
            TrackSpec(id="agent", carrier="stdio", dialect=DIALECT),
            TrackSpec(id="host", carrier="host", dialect="edge"),
        ),
        profile="fixture",
        origin=Origin(kind="generated", source="scenario", name=scenario.name),
        tags=("founding",),
    )
    landing = Landing(plan)
    landing.land(_raws(scenario.script))
    landing.seal()


def _raws(script: Script) -> Iterator[Raw]:
    at_us = 0
    for at_us, (side, value) in zip(_clock(), lines(script), strict=False):
        yield Raw(at_us, "agent", side, JsonUnit(value, LineFraming()))
    ending: tuple[tuple[str, str, dict[str, Json]], ...] = (
        ("agent", "exit", {"code": 0}),
        ("host", "unreconciled", {}),
    )
    for track, code, fields in ending:
        yield Raw(at_us + STEP_US, track, code, fields)


def _clock() -> Iterator[int]:
    at_us = 0
    while True:
        yield at_us
        at_us += STEP_US
