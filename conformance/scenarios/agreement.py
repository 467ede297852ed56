"""One scenario in one dialect: does the turn come out that all dialects agree on (Q2)?

A dialect may not be able to tell all of it. What it says that it cannot is held against what comes
out, both ways: a difference nobody declared fails, and so does a declaration that is no longer true
(Q3, Q4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from turnreel.adapters.claims import SUBJECTS, Claims, Subject
from turnreel.adapters.steps import (
    Ask,
    Foreign,
    Interrupt,
    Plan,
    Question,
    Reply,
    Script,
    Spawn,
    Steer,
    Step,
    Unsayable,
    Wake,
    Withdraw,
)
from turnreel.cassettes.turnfile import render_turns
from turnreel.conformance import clauses
from turnreel.conformance.equality import Difference, differences_of_all, exercised
from turnreel.lifecycle.fold import RunView

from .scenario import Scenario

State = Literal["ok", "limited", "unsaid", "failed"]

NEEDS: Final[dict[type[Step], Subject]] = {
    Ask: "gates",
    Reply: "gates",
    Withdraw: "withdrawals",
    Question: "questions",
    Plan: "plans",
    Interrupt: "cancels",
    Foreign: "neighbours",
    Steer: "steers",
    Spawn: "children",
    Wake: "wakes",
}
"""Steps that a dialect may have no frame for, and the subject that they are of."""


ENDINGS: Final[frozenset[Difference]] = frozenset(
    {"answer", "cancels", "failures", "missing_answers"}
)
"""Subjects of how a run ends; a cancelled tool is one of them, too."""


class Agreement(msgspec.Struct, frozen=True):
    """What came of a scenario: the turn itself (``ok``), the turn but for what the dialect declares
    (``limited``), nothing, since it has no frame for it, as it declares (``unsaid``), or something
    else (``failed``). `limits` are the subjects that are missing, as declared; `faults` says what
    is wrong, a line each, and `clause` where to read on.
    """

    state: State
    limits: tuple[Subject, ...] = ()
    faults: tuple[str, ...] = ()
    clause: str = ""


def needs(script: Script) -> frozenset[Subject]:
    """The subjects that a dialect must have frames for, to tell this script."""
    return frozenset(NEEDS[type(step)] for step in script if type(step) in NEEDS)


def unsayable(scenario: Scenario, claims: Claims, error: Unsayable) -> Agreement:
    """What to think of a dialect that has no frame for a step, and says so by `error`."""
    missing = needs(scenario.script) & claims.impossible()
    if scenario.tier == "core":
        fault = f"a core scenario cannot be told: {error}"
        return Agreement("failed", faults=(fault,), clause="Q3")
    if not missing:
        fault = f"not declared impossible: {error}"
        return Agreement("failed", faults=(fault,), clause="Q3")
    return Agreement("unsaid", _sorted(missing))


def compare(scenario: Scenario, claims: Claims, told: tuple[RunView, ...]) -> Agreement:
    """Hold the runs that came out against the scenario's, and both against what is declared."""
    cannot = claims.impossible()
    spoken = spoken_of(scenario) | needs(scenario.script)
    differing = differences_of_all(scenario.views, told, scenario.trouble)
    found = _of_one_subject(scenario, cannot, differing)
    wanted = cannot & spoken
    faults = [f"differs in {one}: {_demand(one)}" for one in sorted(found - wanted)]
    faults += [f"declared impossible, and told: {one}" for one in _sorted(wanted - found)]
    if faults:
        clause = _clause(scenario, differing - cannot, told) if found - wanted else "Q4"
        return Agreement("failed", faults=tuple(faults), clause=clause)
    return Agreement("limited", _sorted(wanted)) if wanted else Agreement("ok")


def _clause(scenario: Scenario, differing: frozenset[Difference], told: Sequence[RunView]) -> str:
    """The clause to read on at: of what stands first in a turn, and of its health last."""
    if "runs" in differing:
        return "R9"
    told_apart = [one for one in SUBJECTS if one in differing - {*ENDINGS, scenario.trouble}]
    if told_apart:
        return SUBJECTS[told_apart[0]][0]
    if "order" in differing:
        return "V2"
    if not differing.isdisjoint(ENDINGS):
        pairs = zip(map(_end, scenario.views), map(_end, told), strict=True)
        return next(clauses.between(*pair) for pair in pairs if pair[0] != pair[1])
    return clauses.LINES["health"]


def _end(view: RunView) -> str:
    """The line by which a run ends, without its confidence and health: neither is compared here."""
    end = view.terminal
    if end is not None:
        view = replace(view, terminal=replace(end, confidence=None, health="healthy"))
    return render_turns([replace(view, entries=(), children=())]).splitlines()[1].strip()


def spoken_of(scenario: Scenario) -> frozenset[Subject]:
    """The subjects that a scenario speaks of."""
    views = (exercised(view, scenario.trouble) for view in scenario.views)
    whole = {scenario.whole} if scenario.whole is not None else set()
    return frozenset(whole).union(*views)


def _of_one_subject(
    scenario: Scenario, cannot: frozenset[Subject], found: frozenset[Difference]
) -> frozenset[Difference]:
    """Where the whole turn stands or falls with one subject, what else differs is of that one."""
    if scenario.whole is None or not found - cannot:
        return found
    return (found & cannot) | {scenario.whole}


def _demand(one: Difference) -> str:
    match one:
        case "order":
            return "what was told stands in another order"
        case "runs":
            return "there are more or fewer runs"
        case subject:
            return SUBJECTS[subject][1]


def _sorted(subjects: Iterable[Difference]) -> tuple[Subject, ...]:
    return tuple(one for one in SUBJECTS if one in subjects)
