"""The Chat Completions API's trouble: which answer it struck, and what is only noted (O4, T8)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnreel.adapters.base import Edge, Frame
from turnreel.adapters.exchanges import State
from turnreel.adapters.openai_chat import builders
from turnreel.adapters.openai_chat.adapter import ADAPTER, DONE
from turnreel.adapters.openai_chat.render import replies
from turnreel.adapters.replies import Reply
from turnreel.adapters.steps import Answer, Break, Call, Interrupt, Reject, Say, Script
from turnreel.lifecycle.observations import AnyObservation, Noted, Troubled
from turnreel.lifecycle.signals import Closed
from turnreel.wire.units import BodyFraming, JsonUnit, SseFraming, TextUnit, Unit

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "object", "choices", "error", "finish_reason"]),
            inner | st.just("chat.completion.chunk"),
            max_size=3,
        )
    ),
    max_leaves=8,
)


def frame(code: Any, value: Any, exchange: int = 1) -> Frame:
    unit: Unit = JsonUnit(value, SseFraming() if code == "data" else BodyFraming())
    return Frame("provider", code, 1, 1, unit, exchange)


def done(exchange: int = 1) -> Frame:
    return Frame("provider", "data", 1, 1, TextUnit(DONE, SseFraming()), exchange)


def served(reply: Reply, exchange: int = 1) -> list[Frame]:
    over = {
        "end": ("end", {}),
        "cut": ("cut", {"by": "upstream"}),
        "given up": ("cut", {"by": "client"}),
    }[reply.over]
    ended = [done(exchange)] if reply.over == "end" and reply.status == 200 else []
    return [
        frame("request", {"method": "POST"}, exchange),
        frame("response", {"status": reply.status}, exchange),
        *(frame("data", chunk, exchange) for chunk in reply.events),
        *ended,
        frame(*over, exchange),
    ]


def seen(*frames: Frame) -> list[AnyObservation]:
    state, told = ADAPTER.begin(), []
    for one in frames:
        state, more = ADAPTER.step(state, one)
        told += more
    assert state == State() or frames[-1].code not in ("end", "cut")
    return told


def of(script: Script) -> list[AnyObservation]:
    return seen(
        *(one for n, reply in enumerate(replies(script), 1) for one in served(reply, n)),
    )


def noted(what: str) -> Noted:
    return Noted(turn="", what=what)


def test_whole_answers_say_nothing() -> None:
    assert (
        of((Answer((Say("One."), Call("c", "terminal")), "tool_use"), Answer((Say("Two."),)))) == []
    )


def test_an_answer_cut_in_the_middle_strikes_its_message() -> None:
    trouble = Troubled(turn="", code="provider_unavailable", message="msg_0001")
    assert of((Break("Half a"), Answer((Say("Whole."),)))) == [trouble]


def test_an_answer_given_up_by_its_reader_is_noted() -> None:
    assert of((Interrupt("tok0"),)) == [noted("answer given up by its reader")]


def test_an_error_status_names_no_answer() -> None:
    assert of((Reject(429),)) == [
        noted("provider status 429"),
        noted("provider error rate_limited"),
    ]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ({"type": "server_error", "code": None}, "provider_unavailable"),
        ({"type": "invalid_request_error", "code": "context_length_exceeded"}, "context_exhausted"),
        ({"type": "new_word"}, "unknown"),
    ],
)
def test_an_error_in_the_middle_says_its_code(error: dict[str, Any], code: Any) -> None:
    frames = [frame("data", builders.opening("msg_1")), frame("data", {"error": error})]
    assert seen(*frames) == [Troubled(turn="", code=code, message="msg_1")]


def test_an_answer_that_was_all_there_and_not_closed_lost_nothing() -> None:
    frames = [
        frame("data", builders.opening("m")),
        frame("data", builders.closing("m", "end_turn")),
    ]
    assert seen(*frames, frame("cut", {"by": "upstream"})) == [noted("answer not closed")]


def test_probes_and_whole_answers_say_nothing() -> None:
    whole = builders.whole_message("m", (Say("One."),))
    assert seen(frame("data", {"object": "list", "data": []}), frame("data", whole)) == []


@given(values=st.lists(st.tuples(st.sampled_from(["data", "response", "end", "cut"]), JSON)))
def test_nothing_raises(values: list[tuple[Any, Any]]) -> None:
    state = ADAPTER.begin()
    for code, value in values:
        one = frame(code, value)
        assert ADAPTER.step(state, one) == ADAPTER.step(state, one)
        assert ADAPTER.identity(one) is None
        state, _ = ADAPTER.step(state, one)
    assert ADAPTER.step(state, Edge("host", 1, 1, Closed())) == (state, ())
