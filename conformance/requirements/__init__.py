"""What an adapter must show, frozen as sets of requirements, which each version of the contract
numbers.

A scenario that is added, changed or left out is another set, and so needs another number:
``turn-1.2.json`` is the second of turn/1. It lists the scenarios, each with its clauses and a
digest of what is played and of what must come out. Former sets stay as they were: what changed can
be read, and what was required once is not dropped unseen. The present set is printed by
``python -m turnreel.conformance.requirements``.
"""

from __future__ import annotations

import hashlib
from importlib import resources

import msgspec

from turnreel.adapters.evidence import CONTRACT, SET
from turnreel.conformance.scenarios import Scenario, required
from turnreel.conformance.scenarios.scenario import Tier


class Requirement(msgspec.Struct, frozen=True):
    """One scenario: `digest` is of its script and of the turn that must come out."""

    id: str
    tier: Tier
    clauses: tuple[str, ...]
    requirement: str
    digest: str


class Requirements(msgspec.Struct, frozen=True):
    """All scenarios that a version of the contract is held against, in their order."""

    contract: str
    scenarios: tuple[Requirement, ...]
    set: int = 1

    @property
    def digest(self) -> str:
        """Of the whole set."""
        return _digest(self)


def present() -> Requirements:
    """The requirements as the scenarios now are."""
    return Requirements(CONTRACT, tuple(map(_requirement, required())), SET)


def frozen(number: int = SET) -> Requirements:
    """The requirements of a set, the present one unless said, as they were written down."""
    name = f"{CONTRACT.replace('/', '-')}.{number}.json"
    written = resources.files(__package__).joinpath(name).read_bytes()
    return msgspec.json.decode(written, type=Requirements)


def _requirement(scenario: Scenario) -> Requirement:
    return Requirement(
        id=scenario.id,
        tier=scenario.tier,
        clauses=scenario.clauses,
        requirement=scenario.requirement,
        digest=_digest([repr(scenario.script), f"\n{scenario.turn.strip()}\n"]),
    )


def _digest(value: object) -> str:
    written = msgspec.json.encode(value, order="deterministic")
    return hashlib.sha256(written).hexdigest()[:16]
