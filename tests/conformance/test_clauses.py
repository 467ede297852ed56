"""Which clause a line rests on, and where to read on when two lines differ."""

from __future__ import annotations

import pytest

from turnreel.adapters.claims import SUBJECTS
from turnreel.conformance import clauses
from turnreel.conformance.coverage import every_clause
from turnreel.conformance.describe import demand


@pytest.mark.parametrize(
    ("expected", "actual", "clause"),
    [
        ('  final "76" healthy', '  final "77" healthy', "C2"),
        ('  final "76" recovered', '  final "76" healthy', "O2"),
        ('  final "76" positional healthy', '  final "76" healthy', "C8"),
        ("  failed incomplete degraded", '  final "Done." healthy', "T4"),
        ("  failed startup degraded", "  failed incomplete degraded", "T4"),
        ("  failed auth degraded", '  final "401 Unauthorized" healthy', "C5"),
        ("  failed auth degraded", "  failed unknown degraded", "T8"),
        ("  failed missing_final degraded", '  final "" healthy', "C5"),
        ("  failed auth degraded", "  failed auth healthy", "O2"),
        ('  final "76" healthy', "  failed missing_final degraded", "C5"),
        ('  final "76" healthy', "  failed provider_unavailable degraded", "T8"),
        ('  final "76" healthy', "  open", "T4"),
        ("  open", '  final "76" healthy', "T3"),
        ("  cancelled healthy", "  failed incomplete degraded", "T7"),
        ("  failed incomplete degraded", "  cancelled healthy", "T7"),
        ('  needs_input "Go?" healthy', '  final "Go?" healthy', "T5"),
        ("  failed abandoned degraded", "  failed incomplete degraded", "O1"),
        ('  commentary "a"', '  commentary "b"', "C1"),
        ('  commentary "a"', "", "C1"),
        ("", "  activity Read file_read ok", "T10"),
        ("  activity Read file_read ok", "  activity Read file_read failed", "T10"),
        ("  gate approval open", "  gate approval approved", "G7"),
        ("", "  health degraded rate_limited", "O2"),
        ("run", "", "R9"),
        ("", "", ""),
    ],
)
def test_where_to_read_on(expected: str, actual: str, clause: str) -> None:
    assert clauses.between(expected, actual) == clause
    assert not clause or demand(clause)


def test_all_that_is_named_is_a_clause_that_demands_something() -> None:
    named = {*clauses.LINES.values(), *clauses.FAILURES.values()}
    assert all(demand(clause) for clause in named)
    assert named | {clause for clause, _ in SUBJECTS.values()} <= set(every_clause())


def test_the_first_difference() -> None:
    right = ["run", "  a", "  b", "  c"]
    assert clauses.first_difference(right, ["run", "  a", "  x", "  c"]) == ("  b", "  x")
    assert clauses.first_difference(right, ["run", "  a", "  c"]) == ("  b", "")
    assert clauses.first_difference(right, ["run", "  z", "  a", "  b", "  c"]) == ("", "  z")
    assert clauses.first_difference(right, right) == ("", "")


def test_clauses_are_sorted_as_the_contract_is() -> None:
    assert sorted(reversed(every_clause()), key=clauses.place) == [*every_clause()]
