"""A scenario, and its cassette in any dialect that can render it in lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from turnreel.adapters import registry
from turnreel.adapters.steps import Script
from turnreel.cassettes import AgentInfo, Existing, Origin, TrackSpec
from turnreel.recorder.landing import Landing
from turnreel.recorder.messages import Plan
from turnreel.sanitizers import Raw
from turnreel.wire.units import Json, JsonUnit, LineFraming

STEP_US: Final = 10_000
"""Scripted frames come ten milliseconds apart."""


class Scenario(msgspec.Struct, frozen=True):
    """One scripted turn. `sentence` says what a reader must see, or must never see."""

    name: str
    sentence: str
    script: Script


def record_scenario(scenario: Scenario, dialect: str, target: Path, existing: Existing) -> None:
    """Write `scenario` at `target` as a sealed cassette of the agent that speaks `dialect`, in the
    newest version it was proven on.

    The same scenario gives the same bytes. Raises `UnknownDialect`; `CassetteError`: the target
    exists or cannot be written.
    """
    info = registry.adapter(dialect).info
    plan = Plan(
        target=str(target),
        replaces=existing is Existing.REPLACE,
        agent=AgentInfo(info.agent, info.proven[-1]),
        tracks=(
            TrackSpec(id="agent", carrier="stdio", dialect=dialect),
            TrackSpec(id="host", carrier="host", dialect="edge"),
        ),
        profile="fixture",
        origin=Origin(kind="generated", source="scenario", name=scenario.name),
        tags=("founding",),
    )
    landing = Landing(plan)
    landing.land(_raws(registry.lines(dialect)(scenario.script)))
    landing.seal()


def _raws(lines: Sequence[registry.Line]) -> Iterator[Raw]:
    at_us = 0
    for at_us, (side, value) in zip(_clock(), lines, strict=False):
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
