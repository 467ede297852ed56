"""A scenario, and its cassette in any dialect that has the frames for it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from turnreel.adapters import registry
from turnreel.adapters.claims import Subject
from turnreel.adapters.steps import Script
from turnreel.cassettes import AgentInfo, Existing, Origin, TrackSpec
from turnreel.cassettes.turnfile import parse_turns
from turnreel.lifecycle.fold import RunView
from turnreel.recorder.landing import Landing
from turnreel.recorder.messages import Plan

from .playing import AGENT, HOST, raws

Tier = Literal["core", "extended"]


class Scenario(msgspec.Struct, frozen=True):
    """One scripted turn. `requirement` says what a reader must see, or must never see; `clauses`
    which of the contract it is about. `turn` is what must come out, in a turn file's words, with
    the kind of each tool for its name; `trouble` the subject that its health is of, `whole` the one
    that the whole turn stands or falls with, if there is one. Of a ``core`` scenario every dialect
    must have all frames; of an ``extended`` one it may declare that it has not.
    """

    id: str
    requirement: str
    clauses: tuple[str, ...]
    script: Script
    turn: str = ""
    trouble: Subject = "retries"
    tier: Tier = "core"
    whole: Subject | None = None

    @property
    def views(self) -> tuple[RunView, ...]:
        """The runs that must come out."""
        return parse_turns(self.turn)


def record_scenario(
    scenario: Scenario,
    dialect: str,
    target: Path,
    existing: Existing,
    *,
    issue: str | None = None,
) -> None:
    """Write `scenario` at `target` as a sealed cassette of the agent that speaks `dialect`, in the
    newest version it was proven on; `issue` is the address of the report it is written for.

    The same scenario gives the same bytes. Raises `UnknownDialect`; `CassetteError`: the target
    exists or cannot be written; `Unsayable`: the dialect has no frame for a step.
    """
    info = registry.adapter(dialect).info
    plan = Plan(
        target=str(target),
        replaces=existing is Existing.REPLACE,
        agent=AgentInfo(info.agent, info.proven[-1]),
        tracks=(
            TrackSpec(id=AGENT, carrier=info.carrier, dialect=dialect),
            TrackSpec(id=HOST, carrier="host", dialect="edge"),
        ),
        profile="fixture",
        origin=Origin(kind="generated", source="scenario", name=scenario.id),
        tags=("founding",) if issue is None else (),
        issue=issue,
    )
    told = list(raws(dialect, scenario.script))  # before there is a file: not all can be said
    landing = Landing(plan)
    landing.land(told)
    landing.seal()
