"""Scenarios by adapters: what every form of a report of ``conform`` shows first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .findings import Report, Result

LEGEND: Final = (
    "ok: the turn that all agree on. ltd: but for what the dialect declares that it cannot tell. "
    "-: the dialect declares that it has no frame for it. known: fails, as expected."
)


def columns(report: Report) -> tuple[str, ...]:
    """The dialects, in the order they were tried."""
    return tuple(dict.fromkeys(one.dialects[0] for one in report.results if one.scenario))


def rows(report: Report) -> Sequence[tuple[str, ...]]:
    """A row for each scenario: its name, and a word for each dialect."""
    words: dict[str, dict[str, str]] = {}
    for result in report.results:
        if result.scenario:
            words.setdefault(result.scenario, {})[result.dialects[0]] = word(result)
    dialects = columns(report)
    return [(name, *(told.get(one, "") for one in dialects)) for name, told in words.items()]


def word(result: Result) -> str:
    """What came of one scenario in one dialect."""
    if result.expected:
        return "known"
    if result.findings:
        return "failed"
    if result.skipped:
        return "-"
    return "ltd" if result.limits else "ok"
