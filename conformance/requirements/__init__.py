"""What an adapter must show, frozen for each version of the contract.

A scenario that is added, changed or left out is another set of requirements, and so needs another
version: ``turn-1.json`` lists those of turn/1, each with its clauses and a digest of what is played
and of what must come out.
"""

from __future__ import annotations

import hashlib
from importlib import resources
from typing import Final

import msgspec

from turnreel.conformance.scenarios import EQUAL, Scenario
from turnreel.conformance.scenarios.scenario import Tier

CONTRACT: Final = "turn/1"
"""The version that these requirements are of."""


class Requirement(msgspec.Struct, frozen=True):
    """One scenario: `digest` is of its script and of the turn that must come out."""

    id: str
    tier: Tier
    clauses: tuple[str, ...]
    requirement: str
    digest: str


class Requirements(msgspec.Struct, frozen=True):
    """All scenarios of a version of the contract, in their order."""

    contract: str
    scenarios: tuple[Requirement, ...]

    @property
    def digest(self) -> str:
        """Of the whole set."""
        return _digest(self)


def present() -> Requirements:
    """The requirements as the scenarios now are."""
    return Requirements(CONTRACT, tuple(map(_requirement, EQUAL)))


def frozen() -> Requirements:
    """The requirements as they were written down."""
    name = f"{CONTRACT.replace('/', '-')}.json"
    written = resources.files(__name__).joinpath(name).read_bytes()
    return msgspec.json.decode(written, type=Requirements)


def _requirement(scenario: Scenario) -> Requirement:
    return Requirement(
        id=scenario.name,
        tier=scenario.tier,
        clauses=scenario.clauses,
        requirement=scenario.sentence,
        digest=_digest([repr(scenario.script), scenario.turn]),
    )


def _digest(value: object) -> str:
    written = msgspec.json.encode(value, order="deterministic")
    return hashlib.sha256(written).hexdigest()[:16]
