"""The published table has every clause that is checked, once for each way of checking it."""

from __future__ import annotations

from turnreel.conformance.checkers import session_watches, watches
from turnreel.conformance.describe import BY_CHANGE, clauses
from turnreel.conformance.findings import SWEEPS


def test_every_clause_has_its_row() -> None:
    rows = [row.split(" | ")[0].removeprefix("| ") for row in clauses().splitlines()[2:]]
    told = [watch.clause for watch in watches()]
    told += [watch.clause for watch in session_watches()]
    assert sorted(rows) == sorted([*told, *(clause for clause, _, _ in BY_CHANGE)])


def test_every_sweep_stands_for_a_clause() -> None:
    named = {name for _, _, checks in BY_CHANGE for name in checks.split(", ")}
    assert named == {*SWEEPS, "bytes"}
