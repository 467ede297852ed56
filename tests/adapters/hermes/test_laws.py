"""The adapters' promises as such: total, pure, silent on what they do not know (E1, R2, T3)."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.hearing import HTTP, SURFACES, Hearing, again
from turnreel.adapters import registry
from turnreel.adapters.base import Edge, Frame
from turnreel.conformance.scenarios import required
from turnreel.lifecycle.fold import fold
from turnreel.lifecycle.signals import CancelRequested, Closed, Exited, Message, Signal
from turnreel.wire.units import BodyFraming, JsonUnit, LineFraming, SseFraming, TextUnit, TornUnit

SCRIPTS = {scenario.id: scenario.script for scenario in required()}

WORDS = st.sampled_from(
    [
        "event", "type", "method", "params", "payload", "session_id", "sessionId", "run_id",
        "message_id", "tool_name", "tool", "toolCallId", "tool_id", "status", "delta", "content",
        "text", "choices", "finish_reason", "messages", "usage", "output", "error", "id", "result",
        "stopReason", "update", "sessionUpdate", "item", "response", "object", "request_id",
        "message.delta", "message.start", "message.complete", "tool.start", "run.completed",
        "agent_message_chunk", "tool_call", "session/prompt", "session/update", "prompt.submit",
        "approval.request", "response.output_item.added", "function_call", "chat.completion.chunk",
        "running", "complete", "stop", "_thinking", "terminal", "1",
    ]
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | WORDS | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=14,
)
EVENTS = st.sampled_from(
    [
        None, "run.started", "assistant.delta", "tool.progress", "tool.started", "tool.completed",
        "assistant.completed", "run.completed", "error", "done", "hermes.tool.progress",
    ]
)  # fmt: skip
CODES = st.sampled_from(["in", "out", "err", "eof", "request", "response", "data", "end", "cut"])
UNITS = (
    st.builds(JsonUnit, JSON, st.builds(SseFraming, EVENTS))
    | st.just(TextUnit("[DONE]", LineFraming()))
    | st.just(TornUnit(9, "cut", LineFraming()))
)
SIGNALS: tuple[Signal, ...] = (CancelRequested(), Exited(code=0), Closed(), Message(via="argv"))


@st.composite
def arrivals(draw: st.DrawFn) -> list[Any]:
    found: list[Any] = []
    for number in range(draw(st.integers(1, 8))):
        if draw(st.integers(0, 9)) == 0:
            found.append(Edge("host", number, number, draw(st.sampled_from(SIGNALS))))
            continue
        unit = draw(UNITS)
        found.append(Frame("agent", draw(CODES), number, number, unit, draw(st.integers(0, 2))))
    return found


@pytest.mark.parametrize("dialect", SURFACES)
@given(given_arrivals=arrivals())
def test_nothing_raises_and_nothing_is_changed_in_place(
    dialect: str, given_arrivals: list[Any]
) -> None:
    adapter = registry.adapter(dialect)
    state = adapter.begin()
    for one in given_arrivals:
        before = copy.deepcopy(state)
        after, seen = adapter.step(state, one)
        assert adapter.step(state, one) == (after, seen)
        assert state == before
        if isinstance(one, Frame):
            adapter.identity(one)
        state = after


@pytest.mark.parametrize("dialect", SURFACES)
@given(given_arrivals=arrivals())
def test_no_run_has_two_terminals(dialect: str, given_arrivals: list[Any]) -> None:
    heard = again(dialect, given_arrivals)
    for run in {event.run_id for event in heard.events}:
        terminals = [e for e in heard.events if e.run_id == run and e.terminal]
        assert len(terminals) <= 1


@pytest.mark.parametrize("dialect", SURFACES)
@pytest.mark.parametrize("name", ["several-tools", "broken-off", "resumed"])
def test_a_frame_told_twice_is_one(name: str, dialect: str) -> None:
    script = SCRIPTS[name]
    once = Hearing(dialect).plays(script)
    if once.adapter.info.repeats_text:
        return _a_frame_told_twice_moves_no_activity(once)
    for place in range(1, len(once.arrivals)):
        if isinstance(one := once.arrivals[place - 1], Frame) and one.code == "in":
            continue
        doubled = [*once.arrivals[:place], once.arrivals[place - 1], *once.arrivals[place:]]
        heard = again(dialect, doubled)
        (was,), (now,) = fold(once.events), fold(heard.events)
        assert now.terminal == was.terminal, place
        assert heard.run[:-1] == once.run[:-1], place
    return None


def _a_frame_told_twice_moves_no_activity(once: Hearing) -> None:
    for place in range(1, len(once.arrivals)):
        doubled = [*once.arrivals[:place], once.arrivals[place - 1], *once.arrivals[place:]]
        (was,), (now,) = fold(once.events), fold(again(once.dialect, doubled).events)
        assert was.terminal is not None and now.terminal is not None
        assert now.terminal.type == was.terminal.type
        assert len(now.entries) == len(was.entries)


@pytest.mark.parametrize("dialect", HTTP)
def test_a_stream_that_just_ends_is_no_answer(dialect: str) -> None:
    script = SCRIPTS["several-tools"]
    whole = Hearing(dialect).plays(script)
    for place in range(len(whole.arrivals) - 4):
        heard = again(dialect, whole.arrivals[:place]).ends()
        for view in fold(heard.events):
            assert view.terminal is not None
            assert view.terminal.code in ("startup", "incomplete")


@pytest.mark.parametrize("dialect", HTTP)
def test_keepalives_mean_nothing(dialect: str) -> None:
    heard = Hearing(dialect).frame("data", TextUnit("keepalive", SseFraming()), 1)
    assert (heard.events, heard.noted) == ([], {})


@pytest.mark.parametrize("dialect", HTTP)
@pytest.mark.parametrize(
    ("status", "code"),
    [
        (401, "auth"),
        (404, "not_found"),
        (429, "rate_limited"),
        (400, "bad_request"),
        (500, "startup"),
    ],
)
def test_a_refused_start_is_a_failed_run(dialect: str, status: int, code: str) -> None:
    path = {
        "hermes-session": "/api/sessions/s/chat/stream",
        "hermes-runs": "/v1/runs",
        "hermes-chat": "/v1/chat/completions",
        "hermes-responses": "/v1/responses",
    }[dialect]
    heard = Hearing(dialect).asks("POST", path).status(status)
    body = JsonUnit({"error": {"message": "no", "type": "x"}}, BodyFraming())
    heard.frame("data", body, 1).ends()
    assert heard.run == [f"failed {code} degraded"]


@pytest.mark.parametrize("dialect", HTTP)
def test_other_calls_begin_nothing(dialect: str) -> None:
    heard = Hearing(dialect)
    for exchange, path in enumerate(("/health", "/v1/runs/run_1", "/api/sessions"), 1):
        heard.asks("GET", path, exchange).status(200, exchange)
        heard.frame("data", JsonUnit({"object": "list", "data": []}, BodyFraming()), exchange)
    assert heard.events == []
