"""The Messages API's trouble: which message it struck, and what is only noted (O4, O2, T8)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnreel.adapters.anthropic_messages import builders
from turnreel.adapters.anthropic_messages.adapter import ADAPTER
from turnreel.adapters.anthropic_messages.render import Reply, replies
from turnreel.adapters.base import Edge, Frame
from turnreel.adapters.exchanges import State
from turnreel.adapters.steps import Answer, Break, Interrupt, Reject, Say, Script
from turnreel.lifecycle.observations import AnyObservation, Noted, Troubled
from turnreel.lifecycle.signals import Closed
from turnreel.wire.units import BodyFraming, JsonUnit, SseFraming, TextUnit

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


def frame(code: Any, value: Any, exchange: int = 1) -> Frame:
    framing = SseFraming() if code == "data" else BodyFraming()
    return Frame("provider", code, 1, 1, JsonUnit(value, framing), exchange)


def served(reply: Reply, exchange: int = 1) -> list[Frame]:
    over = {
        "end": ("end", {}),
        "cut": ("cut", {"by": "upstream"}),
        "given up": ("cut", {"by": "client"}),
    }[reply.over]
    return [
        frame("request", {"method": "POST"}, exchange),
        frame("response", {"status": reply.status}, exchange),
        *(frame("data", event, exchange) for event in reply.events),
        frame(*over, exchange),
    ]


def seen(*frames: Frame) -> list[AnyObservation]:
    state, told = ADAPTER.begin(), []
    for one in frames:
        state, more = ADAPTER.step(state, one)
        told += more
    return told


def of(script: Script) -> list[AnyObservation]:
    frames: list[Frame] = []
    for exchange, reply in enumerate(replies(script), 1):
        frames += served(reply, exchange)
    return seen(*frames)


def trouble(message: str, code: Any = "provider_unavailable") -> Troubled:
    return Troubled(turn="", code=code, message=message)


def noted(what: str) -> Noted:
    return Noted(turn="", what=what)


def test_whole_answers_say_nothing() -> None:
    assert of((Answer((Say("One."),)), Answer((Say("Two."),)))) == []


def test_an_answer_cut_in_the_middle_strikes_its_message() -> None:
    assert of((Break("Half a"), Answer((Say("Whole."),)))) == [trouble("msg_0001")]


def test_an_answer_given_up_by_its_reader_is_noted() -> None:
    assert of((Interrupt("tok0"),)) == [noted("answer given up by its reader")]


def test_an_error_status_belongs_to_no_message() -> None:
    assert of((Reject(429), Answer((Say("Fine."),)))) == [
        noted("provider status 429"),
        noted("provider error rate_limited"),
    ]


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("overloaded_error", "provider_unavailable"),
        ("rate_limit_error", "rate_limited"),
        ("tomorrow_error", "unknown"),
    ],
)
def test_an_error_in_the_middle_strikes_its_message_once(kind: str, code: str) -> None:
    start, error = builders.message_start("m1"), builders.error(kind)
    told = seen(frame("data", start), frame("data", error), frame("cut", {"by": "upstream"}))
    assert told == [trouble("m1", code)]


def test_an_error_before_the_message_is_noted() -> None:
    told = seen(frame("data", builders.error("overloaded_error")), frame("end", {}))
    assert told == [noted("provider error provider_unavailable")]


@pytest.mark.parametrize("over", [("end", {}), ("cut", {"by": "unknown"})])
def test_an_answer_that_is_all_there_but_not_closed_lost_nothing(over: Any) -> None:
    events = [
        builders.message_start("m1"),
        *builders.block_deltas(0, Say("All.")),
        builders.message_delta("end_turn"),
    ]
    told = seen(*(frame("data", event) for event in events), frame(*over))
    assert told == [noted("answer not closed")]


def test_an_answer_that_ends_clean_in_the_middle_strikes_its_message() -> None:
    told = seen(frame("data", builders.message_start("m1")), frame("end", {}))
    assert told == [trouble("m1")]


def test_a_whole_body_is_whole() -> None:
    body = builders.whole_message("m1", (Say("Hi."),))
    assert seen(frame("data", body), frame("end", {})) == []


def test_answers_at_the_same_time_are_kept_apart() -> None:
    told = seen(
        frame("data", builders.message_start("m1"), 1),
        frame("data", builders.message_start("m2"), 2),
        frame("cut", {"by": "upstream"}, 1),
        frame("data", builders.message_delta("end_turn"), 2),
        frame("data", builders.message_stop(), 2),
        frame("end", {}, 2),
    )
    assert told == [trouble("m1")]


def test_the_state_forgets_what_is_over() -> None:
    state = ADAPTER.begin()
    for one in served(replies((Answer((Say("Hi."),)),))[0]):
        state, _ = ADAPTER.step(state, one)
    assert state == ADAPTER.begin()


def test_deltas_and_edges_leave_the_very_same_state() -> None:
    state = State()
    for event in (builders.ping(), *builders.block_deltas(0, Say("Hi."))):
        assert ADAPTER.step(state, frame("data", event))[0] is state
    assert ADAPTER.step(state, Edge("host", 1, 1, Closed())) == (state, ())
    comment = Frame("provider", "data", 1, 1, TextUnit(": hi", SseFraming()), 1)
    assert ADAPTER.step(state, comment)[0] is state


@given(
    st.lists(
        st.tuples(
            st.sampled_from(("request", "response", "data", "end", "cut")),
            JSON
            | st.sampled_from(
                [builders.message_start("m1"), builders.message_stop(), builders.error("x")]
            ),
            st.integers(1, 2),
        ),
        max_size=10,
    )
)
def test_nothing_raises_and_only_messages_are_struck(parts: list[Any]) -> None:
    for one in seen(*(frame(*part) for part in parts)):
        assert isinstance(one, Noted) or (isinstance(one, Troubled) and one.message is not None)


def test_events_have_no_identity() -> None:
    assert ADAPTER.identity(frame("data", builders.message_start("m1"))) is None
