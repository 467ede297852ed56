"""The Responses API's trouble: which run it struck, and what is only noted (O4, O2, T8)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnreel.adapters.base import Edge, Frame
from turnreel.adapters.openai_responses import builders
from turnreel.adapters.openai_responses.adapter import ADAPTER, ERRORS, State
from turnreel.adapters.openai_responses.render import replies
from turnreel.adapters.replies import Reply
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


def served(reply: Reply, exchange: int = 1, **headers: str) -> list[Frame]:
    over = {
        "end": ("end", {}),
        "cut": ("cut", {"by": "upstream"}),
        "given up": ("cut", {"by": "client"}),
    }[reply.over]
    return [
        frame("request", {"method": "POST", "headers": headers}, exchange),
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


def script_frames(script: Script, **headers: str) -> list[Frame]:
    return [f for n, r in enumerate(replies(script), 1) for f in served(r, n, **headers)]


def notes(told: list[AnyObservation]) -> list[str]:
    return [one.what for one in told if isinstance(one, Noted)]


def test_a_whole_answer_shows_nothing() -> None:
    assert seen(*script_frames((Answer((Say("Done."),)),))) == []


def test_an_answer_that_breaks_off_is_trouble_of_its_message() -> None:
    told = seen(*script_frames((Break("Half"), Answer((Say("Done."),)))))
    assert told == [Troubled(turn="", code="provider_unavailable", message="msg_0101")]


def test_an_answer_given_up_by_its_reader_is_noted() -> None:
    assert notes(seen(*script_frames((Interrupt("tok"),)))) == ["answer given up by its reader"]


def test_an_error_status_waits_for_the_repeated_request() -> None:
    told = seen(*script_frames((Reject(500), Reject(503), Answer((Say("Done."),)))))
    expected = Troubled(turn="", code="provider_unavailable", lineage="msg_0101")
    assert told == [expected, expected]


def test_an_error_status_of_a_thread_is_told_at_once() -> None:
    headers = {"thread-id": "t1"}
    told = seen(*script_frames((Reject(500), Answer((Say("Done."),))), **headers))
    assert told == [Troubled(turn="", code="provider_unavailable", lineage="t1")]


@pytest.mark.parametrize(
    ("status", "body", "headers", "note"),
    [
        (400, builders.error_body(400), {}, "provider error bad_request"),
        (400, {"error": {"type": "server_error"}}, {}, "provider error provider_unavailable"),
        (404, {"error": {"code": "model_not_found"}}, {}, "provider error not_found"),
        (429, builders.error_body(429), {}, "provider error rate_limited"),
        (429, {"error": {"type": "usage_limit_reached"}}, {}, "provider limit quota"),
        (429, None, {}, "provider error rate_limited"),
    ],
)
def test_a_request_that_is_not_repeated_waits_for_nothing(
    status: int, body: Any, headers: dict[str, str], note: str
) -> None:
    frames = [frame("request", {}), frame("response", {"status": status, "headers": headers})]
    if body is not None:
        frames.append(frame("data", body))
    frames.append(frame("end", {}))
    answer = replies((Answer((Say("Done."),)),))[0]
    assert notes(seen(*frames, *served(answer, 2))) == [note]


def test_a_429_that_says_when_is_repeated() -> None:
    refused = [
        frame("request", {}),
        frame("response", {"status": 429, "headers": {"retry-after": "1"}}),
        frame("data", builders.error_body(429)),
        frame("end", {}),
    ]
    answer = replies((Answer((Say("Done."),)),))[0]
    told = seen(*refused, *served(answer, 2))
    assert told == [Troubled(turn="", code="rate_limited", lineage="msg_0101")]


def test_a_failed_answer_has_the_code_of_its_word() -> None:
    for word, code in ERRORS.items():
        item = builders.part(0, "m1", Say("x"), "commentary")
        told = seen(
            frame("data", builders.created("r1")),
            *(frame("data", one) for one in item),
            frame("data", builders.failed("r1", word)),
            frame("end", {}),
        )
        limited = code in ("quota", "context_exhausted")
        expected = Noted(turn="", what=f"provider limit {code}") if limited else None
        assert told == [expected or Troubled(turn="", code=code, message="m1")]


def test_many_answers_on_one_websocket() -> None:
    prewarm = [builders.created("r0"), builders.completed("r0")]
    first = [builders.created("r1"), *builders.streamed(0, "m1", Say("Looking."), "commentary")]
    told = seen(
        frame("open", {"path": "/v1/responses"}),
        *(frame("receive", one) for one in (*prewarm, *first)),
        frame("close", {"code": 1011, "by": "upstream"}),
    )
    assert told == [Troubled(turn="", code="provider_unavailable", message="m1")]


THREAD = {"headers": {"thread-id": "01a2"}}


@pytest.mark.parametrize("events", [[], [builders.created("r1")]])
def test_a_websocket_that_ends_before_its_answer_is_trouble(events: list[Any]) -> None:
    told = seen(
        frame("open", THREAD),
        frame("send", {"type": "response.create"}),
        *(frame("receive", one) for one in events),
        frame("close", {"code": 1011, "by": "upstream"}),
    )
    assert told == [Troubled(turn="", code="provider_unavailable", lineage="01a2")]
    idle = seen(frame("open", THREAD), frame("close", {"code": 1000, "by": "upstream"}))
    assert idle == []


def test_trouble_in_an_answer_names_its_thread_too() -> None:
    """An agent that tells nothing of the provider's messages may tell its thread."""
    first = [builders.created("r1"), *builders.streamed(0, "m1", Say("Half"), "final_answer")]
    told = seen(frame("request", THREAD), *(frame("data", e) for e in first), frame("cut", {}))
    assert told == [Troubled(turn="", code="provider_unavailable", message="m1", lineage="01a2")]


def test_a_websocket_refuses_a_request() -> None:
    refused = builders.refused(429, "rate_limit_exceeded")
    again = [builders.created("r2"), *builders.streamed(0, "m2", Say("Done."), "final_answer")]
    told = seen(
        frame("open", {}),
        frame("receive", {**refused, "headers": {"retry-after": "1"}}),
        frame("open", {}, 2),
        *(frame("receive", one, 2) for one in (*again, builders.completed("r2"))),
        frame("close", {"code": 1000, "by": "client"}, 2),
    )
    assert told == [Troubled(turn="", code="rate_limited", lineage="m2")]


def test_trouble_told_twice_is_the_same() -> None:
    body = frame("data", {"error": {"type": "server_error"}})
    told = seen(frame("request", {}), frame("response", {"status": 400}), body, body)
    assert notes(told) == ["provider error provider_unavailable"]


def test_a_limit_ends_an_answer_without_trouble() -> None:
    told = seen(
        frame("data", builders.created("r1")),
        frame("data", builders.incomplete("r1", "max_output_tokens")),
        frame("end", {}),
    )
    assert told == []


def test_what_nobody_described_is_noted() -> None:
    told = seen(
        frame("data", {"type": "response.brand_new"}),
        frame("data", {"x": 1}),
        Frame("provider", "data", 1, 1, TextUnit("[DONE]", SseFraming()), 1),
    )
    assert notes(told) == ["event response.brand_new", "event without a type", "not an event"]


def test_an_answer_that_is_not_streamed() -> None:
    told = seen(frame("data", builders.whole("r1", [builders.item("m1", Say("Done."))])))
    assert told == []


CODES = ["request", "response", "data", "end", "cut", "open", "send", "receive", "close"]


@given(values=st.lists(st.tuples(st.sampled_from(CODES), JSON)))
def test_anything_is_read(values: list[tuple[str, Any]]) -> None:
    state = ADAPTER.begin()
    for code, value in values:
        state, _ = ADAPTER.step(state, frame(code, value))
    assert isinstance(state, State)
    assert ADAPTER.step(state, Edge("host", 1, 1, Closed())) == (state, ())
    assert ADAPTER.identity(frame("data", {})) is None
