"""The adapter is total, keeps its state, and knows a frame it met before (R2)."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from turnreel.adapters.base import Frame
from turnreel.adapters.codex_app_server import commands, templates
from turnreel.adapters.codex_app_server.adapter import ADAPTER
from turnreel.adapters.codex_app_server.builders import Server
from turnreel.adapters.codex_app_server.grammar import METHODS, key
from turnreel.adapters.codex_app_server.policy import POLICY
from turnreel.adapters.codex_app_server.render import lines
from turnreel.adapters.steps import Answer, Ask, Break, Call, End, Return, Say
from turnreel.wire.units import JsonUnit, LineFraming, TextUnit, TornUnit

Session = Any

SCRIPT = (
    Break("Half", (Say("Looking."),)),
    Answer((Say("Looking."), Call("call_1", "ls", {})), "tool_use"),
    Ask("call_1", "allow"),
    Return("call_1"),
    Answer((Say("Done."),)),
    End(),
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=4), inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "method", "params", "result", "error", "item", "turn", "type", "threadId",
                 "turnId", "itemId", "status", "questions", "codexErrorInfo", "decision"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)  # fmt: skip


def frame(code: Any, value: Any, number: int = 1) -> Frame:
    return Frame("agent", code, number, number, JsonUnit(value, LineFraming()))


def wounds(value: Any) -> st.SearchStrategy[Any]:
    """`value` with one of its fields, at any depth, replaced by anything."""
    places: list[tuple[Any, ...]] = []

    def walk(here: Any, place: tuple[Any, ...]) -> None:
        inner = here.items() if isinstance(here, dict) else enumerate(here)
        for name, below in inner:
            places.append((*place, name))
            if isinstance(below, dict | list):
                walk(below, (*place, name))

    walk(value, ())

    def wound(place: tuple[Any, ...], other: Any) -> Any:
        changed = copy.deepcopy(value)
        at = changed
        for step in place[:-1]:
            at = at[step]
        at[place[-1]] = other
        return changed

    return st.builds(wound, st.sampled_from(places), JSON)


@given(data=st.data())
def test_a_wounded_frame_never_raises(data: st.DataObject) -> None:
    state = ADAPTER.begin()
    for number, (side, line) in enumerate(lines(SCRIPT), 1):
        hurt = data.draw(st.booleans() | st.just(False))
        value = data.draw(wounds(line)) if hurt else line
        one = frame(side, value, number)
        ADAPTER.identity(one)
        before = copy.deepcopy(state)
        after, _ = ADAPTER.step(state, one)
        assert state == before
        state = after


@given(value=JSON, code=st.sampled_from(["in", "out", "err", "eof"]))
def test_anything_is_read(value: Any, code: str) -> None:
    ADAPTER.step(ADAPTER.begin(), frame(code, value))
    ADAPTER.identity(frame(code, value))


def test_units_that_are_no_json_are_noted(session: Session) -> None:
    session.asked().prints_text("panic: oh").prints([1], "x", 7, None)
    session.hears("x")
    assert session.noted["unreadable line"] == 5
    assert session.noted["unreadable host line"] == 1
    torn = Frame("agent", "out", 9, 9, TornUnit(3, "json", LineFraming()))
    assert ADAPTER.step(ADAPTER.begin(), torn)[1][0].what == "unreadable line"  # type: ignore[union-attr]
    text = Frame("agent", "err", 9, 9, TextUnit("ERROR x", LineFraming()))
    assert not ADAPTER.step(ADAPTER.begin(), text)[1]


def test_frames_that_say_nothing_leave_the_very_state() -> None:
    state = ADAPTER.begin()
    for method in ("thread/status/changed", "account/rateLimits/updated", "hook/started"):
        after, seen = ADAPTER.step(state, frame("out", {"method": method, "params": {}}))
        assert after is state
        assert not seen


def test_a_frame_told_again_changes_nothing(session: Session) -> None:
    once, twice = session, type(session)()
    for side, line in lines(SCRIPT):
        (once.hears if side == "in" else once.prints)(line)
        (twice.hears if side == "in" else twice.prints)(line, line)
    assert once.turns == twice.turns
    assert once.turns.endswith("final 'Done.' recovered\n")


def test_ids_that_are_numbers_and_ids_that_are_strings_never_meet() -> None:
    assert key(1) != key("1")
    assert key(True) is None
    assert key(None) is None
    assert key(1.5) is None


def test_the_same_request_of_another_turn_is_another_frame() -> None:
    server = Server()
    server.next_turn()
    one = frame("out", server.asks_to_run(0, "c1", "ls"))
    server.next_turn()
    other = frame("out", server.asks_to_run(0, "c1", "ls"))
    assert ADAPTER.identity(one) != ADAPTER.identity(other)
    assert ADAPTER.identity(frame("out", server.delta("m", "a"))) is None


def test_the_commands_are_what_the_policy_knows() -> None:
    told = [
        commands.initialize(0, "x", "1"),
        commands.initialized(),
        commands.start_thread(1, "/x"),
        commands.resume_thread(1, "t"),
        commands.message(2, "t", "Go."),
        commands.steer(3, "t", "u", "Go."),
        commands.interrupt(4, "t", "u"),
    ]
    enum = next(line for line in POLICY.lines if line.path == "method")
    assert {one["method"] for one in told} <= set(enum.arguments)
    assert set(enum.arguments) >= METHODS
    assert templates.VERSION in ADAPTER.info.proven
