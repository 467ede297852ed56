"""The adapter's promises as such: total, pure, silent on what it does not know (T3, R2, E1)."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnreel.adapters.base import Edge, Frame
from turnreel.adapters.claude_stream_json import commands
from turnreel.adapters.claude_stream_json.adapter import ADAPTER
from turnreel.adapters.claude_stream_json.builders import Printer
from turnreel.adapters.claude_stream_json.render import lines
from turnreel.adapters.claude_stream_json.state import State
from turnreel.adapters.steps import (
    Answer,
    Ask,
    Break,
    Call,
    End,
    Interrupt,
    Reject,
    Return,
    Say,
    Script,
    Think,
)
from turnreel.lifecycle.signals import CancelRequested, Closed, Exited, Message, Parked, Signal
from turnreel.wire.units import JsonUnit, LineFraming, TextUnit, TornUnit, Unit

Session = Any

SCRIPT: Script = (
    Reject(429),
    Answer((Think("hm"), Say("Reading."), Call("toolu_1", "Read")), "tool_use"),
    Return("toolu_1", "1,2"),
    Break("Tot", (Say("Kept."),)),
    Answer((Say("I'll write."), Call("toolu_2", "Write")), "tool_use"),
    Ask("toolu_2", "deny"),
    Return("toolu_2"),
    Answer((Say("Total is 76."),)),
    End(),
)

CANCELLED: Script = (Answer((Call("toolu_1", "Bash"),), "tool_use"), Interrupt("tok0 tok1"))

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False)
    | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
SIGNALS: tuple[Signal, ...] = (
    Message(via="argv"),
    CancelRequested(via="SIGINT"),
    Exited(code=0),
    Closed(),
    Parked(),
)


def unit(value: Any) -> JsonUnit:
    return JsonUnit(value, LineFraming())


def frames(script: Script) -> list[Frame]:
    return [
        Frame("agent", side, number, number, unit(line))
        for number, (side, line) in enumerate(lines(script))
    ]


def replayed(arrivals: list[Any]) -> State:
    state = ADAPTER.begin()
    for arrival in arrivals:
        before = msgspec.msgpack.encode(state)
        after, _ = ADAPTER.step(state, arrival)
        assert msgspec.msgpack.encode(state) == before  # never changed in place
        state = after
    return state


@st.composite
def spoilt(draw: st.DrawFn) -> list[Frame]:
    """Real frames, one of them with one field, at any depth, replaced by anything."""
    whole = frames(draw(st.sampled_from((SCRIPT, CANCELLED))))
    place = draw(st.integers(0, len(whole) - 1))
    value = copy.deepcopy(whole[place].unit.value)  # type: ignore[union-attr]
    target: Any = value
    while isinstance(target, dict | list) and target:
        keys = sorted(target) if isinstance(target, dict) else list(range(len(target)))
        key = draw(st.sampled_from(keys))
        if not isinstance(target[key], dict | list) or draw(st.booleans()):
            target[key] = draw(JSON)
            break
        target = target[key]
    whole[place] = msgspec.structs.replace(whole[place], unit=unit(value))
    return whole


@given(spoilt())
def test_no_spoilt_frame_raises(whole: list[Frame]) -> None:
    replayed(whole)


@given(
    st.lists(
        st.tuples(st.sampled_from(("in", "out", "err", "eof")), JSON)
        | st.sampled_from(SIGNALS)
        | st.sampled_from(frames(SCRIPT)),
        max_size=12,
    )
)
def test_nothing_raises_in_any_order(arrivals: list[Any]) -> None:
    replayed([arrival_of(one, number) for number, one in enumerate(arrivals)])


def arrival_of(one: Any, number: int) -> Any:
    match one:
        case (code, value):
            return Frame("agent", code, number, number, unit(value))
        case Signal():
            return Edge("host", number, number, one)
        case _:
            return one


@pytest.mark.parametrize(
    "strange",
    [
        TextUnit("Error: When using --print", LineFraming()),
        TornUnit(7, "json", LineFraming()),
        unit(None),
        unit({}),
        unit({"type": 7}),
        unit({"type": "tomorrow"}),
        unit({"type": "system", "subtype": "tomorrow"}),
        unit({"type": "assistant", "message": {}}),
        unit({"type": "stream_event"}),
    ],
    ids=repr,
)
def test_what_is_not_known_is_noted_and_moves_nothing(strange: Unit) -> None:
    state = ADAPTER.begin()
    after, seen = ADAPTER.step(state, Frame("agent", "out", 1, 1, strange))
    assert after is state
    assert [type(one).__name__ for one in seen] == ["Noted"]


def test_a_delta_leaves_the_very_same_state() -> None:
    state = replayed(frames(SCRIPT)[:6])
    delta = {"type": "stream_event", "event": {"type": "content_block_delta", "delta": {}}}
    after, seen = ADAPTER.step(state, Frame("agent", "out", 9, 9, unit(delta)))
    assert after is state
    assert not seen


def test_stderr_is_prose() -> None:
    state = ADAPTER.begin()
    line = Frame("agent", "err", 1, 1, unit({"type": "result", "subtype": "success"}))
    assert ADAPTER.step(state, line) == (state, ())


def test_every_native_identity_names_a_frame_once() -> None:
    whole = frames(SCRIPT)
    named = [(frame.code, identity) for frame in whole if (identity := ADAPTER.identity(frame))]
    assert len(set(named)) == len(named)
    without = [frame for frame in whole if ADAPTER.identity(frame) is None]
    assert [frame.code for frame in without] == ["in"]  # a prompt without a uuid


def test_control_frames_are_named_by_their_request_and_type() -> None:
    asks = Frame("agent", "out", 1, 1, unit(Printer().asks("r", "Write", "toolu_1", {})))
    withdraws = Frame("agent", "out", 2, 2, unit(Printer().withdraws("r")))
    answers = Frame("agent", "in", 3, 3, unit(commands.deny("r", "no")))
    assert len({ADAPTER.identity(frame) for frame in (asks, withdraws, answers)}) == 3


def test_delivering_everything_twice_changes_nothing(session: Session) -> None:
    for side, line in lines(SCRIPT):
        (session.hears if side == "in" else session.prints)(line)
    once = list(session.events)
    for side, line in lines(SCRIPT):
        if side == "out":
            session.prints(line)
    assert session.events == once


def test_the_declaration_names_what_was_proven() -> None:
    assert ADAPTER.info.dialect == "claude-stream-json"
    assert ADAPTER.info.tier == "primary"
    assert ADAPTER.info.proven == ("2.1.215", "2.1.332")
