"""Two logs without times become one order that breaks no cause."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnreel.adapters.interleave import interleave
from turnreel.wire.units import Json, JsonUnit, LineFraming, Unit


def line(value: Json) -> Unit:
    return JsonUnit(value, LineFraming())


INIT = line({"type": "system", "subtype": "init"})
ASKS = line({"type": "control_request", "request_id": "r1", "request": {"subtype": "can_use_tool"}})
RESULT = line({"type": "result"})
PROMPT = line({"type": "user", "message": {"role": "user"}})
ANSWER = line({"type": "control_response", "response": {"request_id": "r1", "subtype": "success"}})
INTERRUPT = line({"type": "control_request", "request_id": "h1", "request": {}})
INTERRUPTED = line({"type": "control_response", "response": {"request_id": "h1"}})


def order(inputs: list[Unit], outputs: list[Unit]) -> list[Unit]:
    return [unit for _, unit in interleave(inputs, outputs)]


def test_an_answer_follows_its_question() -> None:
    assert order([PROMPT, ANSWER], [INIT, ASKS, RESULT]) == [PROMPT, INIT, ASKS, ANSWER, RESULT]


def test_a_request_precedes_its_acknowledgement() -> None:
    assert order([PROMPT, INTERRUPT], [INIT, INTERRUPTED, RESULT]) == [
        PROMPT, INIT, INTERRUPT, INTERRUPTED, RESULT,
    ]  # fmt: skip


def test_a_line_that_nothing_names_stays_behind_its_neighbour() -> None:
    assert order([PROMPT, ANSWER, PROMPT], [INIT, ASKS, RESULT]) == [
        PROMPT, INIT, ASKS, ANSWER, PROMPT, RESULT,
    ]  # fmt: skip


def test_an_answer_to_a_question_at_the_very_end_is_not_lost() -> None:
    assert order([ANSWER], [INIT, ASKS]) == [INIT, ASKS, ANSWER]


IDS = st.sampled_from(["a", "b", "c"])
UNITS = st.builds(
    lambda kind, name, serial: line({"type": kind, "request_id": name, "serial": serial}),
    st.sampled_from(["control_request", "control_response", "user"]),
    IDS,
    st.integers(),
)


@given(st.lists(UNITS), st.lists(UNITS))
def test_each_log_keeps_its_order_and_nothing_is_lost(
    inputs: list[Unit], outputs: list[Unit]
) -> None:
    merged = list(interleave(inputs, outputs))
    assert [unit for side, unit in merged if side == "in"] == inputs
    assert [unit for side, unit in merged if side == "out"] == outputs
