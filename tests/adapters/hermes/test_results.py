"""What tools answered, read for how it went (T10)."""

from __future__ import annotations

from typing import Any

import pytest

from turnreel.adapters.hermes.results import outcome, plan
from turnreel.lifecycle.events import PlanItem


@pytest.mark.parametrize(
    ("result", "state"),
    [
        ({"output": "x", "exit_code": 0, "error": None}, "ok"),
        ({"output": "x", "exit_code": 2, "error": None}, "failed"),
        ({"exit_code": -1, "error": "", "status": "pending_approval"}, "declined"),
        ({"error": "File not found"}, "failed"),
        ({"error": ""}, "ok"),
        ({"success": False}, "failed"),
        ({"user_response": "EU"}, "ok"),
        ('{"output": "x", "exit_code": 0}', "ok"),
        ('{"output": "x", "exit_code": 1}', "failed"),
        ("Tool 'clarify' does not exist.", "unknown"),
        ("[" * 5000, "unknown"),
        ("[1]", "unknown"),
        (None, "unknown"),
        ([], "unknown"),
        (3, "unknown"),
    ],
)
def test_typed_words_say_how_a_tool_ended(result: Any, state: str) -> None:
    assert outcome(result) == state


def test_a_plan_is_what_is_still_meant() -> None:
    todos: list[Any] = [
        {"id": "1", "content": "Read", "status": "completed"},
        {"id": "2", "content": "Add", "status": "in_progress"},
        {"id": "3", "content": "Tell", "status": "pending"},
        {"id": "4", "content": "Sing", "status": "cancelled"},
        {"id": "5", "status": "pending"},
        "no todo",
    ]
    assert plan(todos) == (
        PlanItem("Read", "done"),
        PlanItem("Add", "active"),
        PlanItem("Tell", "pending"),
    )
