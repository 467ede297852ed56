"""O7: one status for each outcome, and the older word beside it."""

from __future__ import annotations

import pytest

from turnreel.lifecycle.events import Code, Outcome
from turnreel.lifecycle.fold import TerminalEntry
from turnreel.lifecycle.status import exit_status, legacy_word


@pytest.mark.parametrize(
    ("outcome", "code", "status", "word"),
    [
        ("completed", None, 0, "completed"),
        ("failed", "auth", 1, "failed"),
        ("failed", "incomplete", 3, "failed"),
        ("abandoned", "abandoned", 3, "failed"),
        ("interrupted", None, 130, "interrupted"),
        ("blocked", None, 75, "waiting"),
    ],
)
def test_statuses(outcome: Outcome, code: Code | None, status: int, word: str) -> None:
    terminal = TerminalEntry("any", "", outcome, "healthy", code)
    assert (exit_status(terminal), legacy_word(terminal)) == (status, word)


def test_an_open_run_is_incomplete_and_running() -> None:
    assert (exit_status(None), legacy_word(None)) == (3, "running")
