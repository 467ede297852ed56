"""Whose ids stand where."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from turnreel.adapters.base import Program
from turnreel.replayer.identities import Identities
from turnreel.replayer.steps import Send
from turnreel.wire.encode import encode
from turnreel.wire.units import Json, JsonUnit, LineFraming, TextUnit, Unit


def unit(value: Json, **fields: Any) -> JsonUnit:
    return JsonUnit(value, LineFraming(), **fields)


def send(of: Unit, start: int = 0, end: int | None = None) -> Send:
    return Send(0, encode(of)[start:end], of, "stdout", (1,), start=start)


FIELDS = (("request_id",), ("uuid", "user_message_uuids"))


def learned() -> Identities:
    known = Identities(Program(host_ids=FIELDS))
    known.learn(
        unit({"type": "control_request", "request_id": "01", "request": {"uuid": "u"}}),
        unit({"type": "control_request", "request_id": "mine", "request": {"uuid": "live"}}),
    )
    return known


def test_an_id_is_replaced_where_a_field_of_its_kind_holds_it() -> None:
    line = unit(
        {
            "response": {"request_id": "01", "task_id": "01", "text": "01"},
            "user_message_uuids": ["u", "v"],
            "session_id": "u",
        },
        style="spaced",
    )
    assert learned().spoken(send(line)) == encode(
        unit(
            {
                "response": {"request_id": "mine", "task_id": "01", "text": "01"},
                "user_message_uuids": ["live", "v"],
                "session_id": "u",
            },
            style="spaced",
        )
    )


def test_what_holds_no_id_is_left_as_it_came() -> None:
    for line in (TextUnit('"01"', LineFraming()), unit({"a": "01"}, style="other"), unit(["u"])):
        assert learned().spoken(send(line)) == encode(line)


def test_equal_ids_and_other_shapes_teach_nothing() -> None:
    known = Identities(Program(host_ids=FIELDS))
    known.learn(unit({"uuid": "u", "x": {"uuid": 1}}), unit({"uuid": "u", "x": 3}))
    known.learn(TextUnit("a", LineFraming()), unit({"uuid": "b"}))
    line = unit({"uuid": "u"})
    assert known.spoken(send(line)) == encode(line)


@given(st.lists(st.integers(0, 48)))
def test_the_parts_of_a_line_are_the_parts_of_the_spoken_line(places: list[int]) -> None:
    line, known = unit({"type": "x", "request_id": "01", "more": "text"}), learned()
    cuts = sorted({0, *places, len(encode(line))})
    cuts = [at for at in cuts if at <= len(encode(line))]
    parts = b"".join(known.spoken(send(line, a, b)) for a, b in pairwise(cuts))
    assert parts == encode(unit({"type": "x", "request_id": "mine", "more": "text"}))


def test_answers_stand_under_the_ids_that_the_host_gave_its_requests() -> None:
    known = Identities(Program(calls="json-rpc"))
    known.learn(unit({"id": 1, "method": "a"}), unit({"id": "x", "method": "a"}))
    known.learn(unit({"id": 2, "result": {}}), unit({"id": 9, "result": {}}))  # of the agent's own
    answer = unit({"id": 1, "result": {"id": 1}})
    assert known.spoken(send(answer)) == encode(unit({"id": "x", "result": {"id": 1}}))
    for other in ({"id": 1, "method": "ask"}, {"id": 2, "result": {}}, {"id": [1]}, [1]):
        assert known.spoken(send(unit(other))) == encode(unit(other))  # type: ignore[arg-type]
