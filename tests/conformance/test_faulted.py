"""Turns that come out of faulted streams: always clean by every clause, and the right ones."""

from __future__ import annotations

from typing import Final

import pytest

from turnreel.adapters import registry
from turnreel.conformance.faulting import AGENTS, SAID, outcome, outcomes, plans, translated
from turnreel.conformance.judging import judged
from turnreel.lifecycle.events import Final as Answered
from turnreel.lifecycle.events import Health
from turnreel.replayer.faults import word_of
from turnreel.replayer.plan import make_plan, parse_fault

FINAL: Final = "final healthy"
BROKEN: Final = "incomplete degraded"
BREAKING: Final = ("cut", "truncate", "missing-terminal", "kill", "partial-line")

TOUCHING: Final = ("drop", "duplicate", "reorder", "replay", "malformed", "late")
"""Faults that may lose, repeat or move a piece of text."""

EXPECTED: Final = {
    "exit:0@event=terminal-1": BROKEN,
    "native-retry@event=5": "final recovered",
    # What ends a turn without a frame of its own text, or breaks one that comes whole.
    ("late", "codex-exec"): "missing_final degraded",
    ("malformed@event=3", "codex-exec"): BROKEN,
    ("malformed@event=3", "hermes-acp"): BROKEN,
    # A start that is said twice is two turns where it has no identity.
    ("replay@event=3", "hermes-tui"): f"{FINAL}, {BROKEN}",
    # The prompt was said to another process: there is no start, and so no run.
    ("resume@event=3", "hermes-tui"): "",
    ("resume@event=3", "hermes-acp"): "",
}  # fmt: skip
"""How the turn ends, by fault and dialect; `FINAL` where nothing else is said."""


def expected(spec: str, dialect: str) -> str:
    name = word_of(parse_fault(spec)).name
    default = BROKEN if name in BREAKING else FINAL
    return EXPECTED.get((spec, dialect), EXPECTED.get(spec, default))


@pytest.mark.parametrize("dialect", AGENTS)
def test_every_faulted_turn_is_clean_and_ends_as_it_must(dialect: str) -> None:
    ended = {}
    for spec, plan in plans(dialect):
        events = translated(dialect, plan)
        assert judged(events) == [], spec
        ended[spec] = outcome(events)
    assert len(ended) > 20
    assert ended == {spec: expected(spec, dialect) for spec in ended}


@pytest.mark.parametrize("dialect", AGENTS)
def test_the_answer_is_the_recorded_one_or_none(dialect: str) -> None:
    pieces_are_all = registry.adapter(dialect).info.repeats_text
    for spec, plan in plans(dialect):
        if pieces_are_all and word_of(plan.faults[0]).name in TOUCHING:
            continue  # no whole text follows the pieces, as the dialect declares
        answers = {e.text for e in translated(dialect, plan) if isinstance(e, Answered)}
        assert answers <= {SAID}, spec


@pytest.mark.parametrize("dialect", AGENTS)
def test_an_exit_after_success_degrades_and_overturns_nothing(dialect: str) -> None:
    events = translated(dialect, make_plan(["exit:2@event=terminal"]))
    assert outcome(events) == FINAL
    assert isinstance(events[-1], Health) and events[-1].state == "degraded"


def test_the_table_has_a_row_for_every_fault_and_says_what_cannot_be() -> None:
    rows = outcomes().splitlines()[2:]
    for dialect in AGENTS:
        told = dict(plans(dialect))
        place = 2 + AGENTS.index(dialect)
        cells = {row.split(" | ")[0].strip("| `"): row.split(" | ")[place - 1] for row in rows}
        assert {spec for spec, cell in cells.items() if "cannot be" not in cell} == set(told)
