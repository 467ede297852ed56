"""Rollouts as evidence: which turns they tell of, by which message, and what they do not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.recorder.rollouts import ROLLOUT, TURN, complete, done, event, said
from turnreel.adapters.base import Edge, Frame
from turnreel.adapters.codex_rollout.adapter import ADAPTER, State
from turnreel.adapters.kept import REMEMBERED
from turnreel.lifecycle.observations import AnyObservation, Receipted
from turnreel.lifecycle.signals import Closed, Unreconciled
from turnreel.wire.units import Json, JsonUnit, LineFraming


def told(*rows: Any) -> list[AnyObservation]:
    state = ADAPTER.begin()
    seen: list[AnyObservation] = []
    for number, row in enumerate(rows, 1):
        frame = Frame("rollout", "data", number, number, JsonUnit(row, LineFraming()))
        state, found = ADAPTER.step(state, frame)
        assert not found, "it is asked for"
    for signal in (Closed(), Unreconciled(), Unreconciled()):
        state, found = ADAPTER.step(state, Edge("host", 99, 99, signal))
        seen += found
    assert state == State()
    return seen


def receipt(outcome: Any, **fields: Any) -> list[AnyObservation]:
    return [Receipted(turn="", lineage=TURN, outcome=outcome, **fields)]


def test_a_whole_turn_is_told_with_its_answer() -> None:
    assert told(*ROLLOUT) == receipt("completed", text="All is well.")


@pytest.mark.parametrize("phase", ["final_answer", None])
def test_an_answer_is_what_is_said_last(phase: str | None) -> None:
    assert told(said(1, "msg_2", "Done.", phase), complete(2)) == receipt("completed", text="Done.")


@pytest.mark.parametrize(
    "rows",
    [
        [said(1, "m", "On the way.", "commentary"), complete(2)],
        [said(1, "m", "Half.", "partial_answer"), complete(2)],
        [said(1, "m", "Then a tool."), done(2), complete(3)],
        [said(1, "m", " "), complete(2)],
        [said(1, "m", "A question?", delivery="async"), complete(2)],
        [complete(2)],
        [said(1, "m", "Not over.")],
    ],
)
def test_anything_less_is_no_success(rows: list[Any]) -> None:
    assert told(*rows) == []


def test_how_else_it_ended() -> None:
    assert told(event("turn_aborted")) == receipt("interrupted")
    for info, code in (
        ("usage_limit_exceeded", "quota"),
        ({"response_stream_disconnected": {"http_status_code": 429}}, "rate_limited"),
        ({"response_too_many_failed_attempts": {}}, "provider_unavailable"),
        ("other", None),
        ({"strange": 1}, None),
        (None, None),
    ):
        error = {"message": "x", "codex_error_info": info}
        assert told(said(1, "msg_2", "x"), complete(2, error=error)) == receipt("failed", code=code)


def test_memory_is_bounded() -> None:
    state = ADAPTER.begin()
    for number in range(3 * REMEMBERED):
        row = event("turn_aborted", turn_id=f"t{number}")
        frame = Frame("r", "data", number, 0, JsonUnit(row, LineFraming()))
        state, _ = ADAPTER.step(state, frame)
    assert len(state.turns) == REMEMBERED


JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "payload", "item", "turn_id", "phase", "error", "content"]),
            inner
            | st.sampled_from(["event_msg", "item_completed", "task_complete", "AgentMessage"]),
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(values=st.lists(JSON, max_size=6))
def test_anything_is_read(values: list[Json]) -> None:
    state = ADAPTER.begin()
    for value in values:
        frame = Frame("r", "data", 1, 1, JsonUnit(value, LineFraming()))
        state, _ = ADAPTER.step(state, frame)
        assert ADAPTER.identity(frame) is None
    ADAPTER.step(state, Edge("host", 1, 1, Unreconciled()))
