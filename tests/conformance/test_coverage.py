"""No clause is without a word on how it is checked, and none is checked that is no clause."""

from __future__ import annotations

import re
from pathlib import Path

from turnreel.conformance.checkers import watches
from turnreel.conformance.coverage import (
    OTHERWISE,
    SECTIONS,
    checked,
    checked_by,
    every_clause,
)
from turnreel.conformance.describe import BY_CHANGE

HOUSE = Path(__file__).resolve().parents[2]


def test_every_clause_is_checked_somehow() -> None:
    assert [clause for clause in every_clause() if not checked_by(clause)] == []
    assert len(checked().splitlines()) == len(every_clause()) + 2


def test_what_is_checked_is_a_clause() -> None:
    known = set(every_clause())
    assert {watch.clause for watch in watches()} <= known
    assert {clause for clause, _, _ in BY_CHANGE} <= known
    assert set(OTHERWISE) <= known


def test_a_clause_that_is_checked_is_not_said_to_be_unchecked() -> None:
    for clause in every_clause():
        ways = checked_by(clause)
        assert len(ways) == 1 or not any(way.startswith("nothing yet") for way in ways)


def test_tests_are_of_rooms_that_have_some() -> None:
    for ways in OTHERWISE.values():
        for room in re.findall(r"tests of (\w+)", "; ".join(ways)):
            assert list((HOUSE / "tests" / room).rglob("test_*.py"))


def test_the_table_has_its_place_in_the_page() -> None:
    page = (HOUSE / "docs" / "turn-protocol.md").read_text(encoding="utf-8")
    assert all(f"<!-- generated: {name} -->" in page for name in SECTIONS)
