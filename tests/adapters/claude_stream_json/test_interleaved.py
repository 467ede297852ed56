"""What belongs to another turn, thread or session moves no run, wherever it stands (R2, R9, O6)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnreel.adapters.anthropic_messages import builders as provider
from turnreel.adapters.claude_stream_json import commands
from turnreel.adapters.claude_stream_json.builders import Line, Printer
from turnreel.adapters.steps import Call, Say

from .conftest import Session as Playing

Session = Any

ONE, TWO = (f"{n}e550000-0000-4000-8000-00000000000{n}" for n in (1, 2))


def turn(cli: Printer, text: str) -> list[Line]:
    """A whole turn: commentary, a tool, an answer."""
    first, last = f"{text} 1", f"{text} 2"
    return [
        cli.init(),
        cli.event(first, provider.message_start(first)),
        cli.block(first, Say(f"Looking at {text}.")),
        cli.block(first, Call(f"toolu {text}", "Read")),
        cli.event(first, provider.message_delta("tool_use")),
        cli.event(first, provider.message_stop()),
        cli.returned(f"toolu {text}", "x"),
        cli.event(last, provider.message_start(last)),
        cli.block(last, Say(f"{text}.")),
        cli.event(last, provider.message_delta("end_turn")),
        cli.event(last, provider.message_stop()),
        cli.result(f"{text}."),
    ]


def whole(text: str) -> list[str]:
    return [f"said Looking at {text}.", "Read file_read ok", f'final "{text}." healthy']


@given(st.lists(st.booleans(), min_size=24, max_size=24))
def test_two_sessions_in_one_stream_are_two_turns(choices: list[bool]) -> None:
    """However their frames are mixed, each turn is the one that it is alone."""
    session = Playing()
    lines = [turn(Printer(ONE), "One"), turn(Printer(TWO), "Two")]
    for choice in choices:
        source = lines[choice] or lines[not choice]
        session.prints(source.pop(0))
    assert sorted(session.runs) == sorted([whole("One"), whole("Two")])


FOREIGN = {
    "a result": lambda cli: [cli.result("Foreign.")],
    "an error": lambda cli: [cli.error("error_during_execution")],
    "a text": lambda cli: [cli.block("x1", Say("Foreign."))],
    "a tool": lambda cli: [cli.block("x1", Call("toolu_9", "Bash"))],
    "a retry": lambda cli: [cli.retry(1, 529)],
    "a notification": lambda cli: [cli.system("task_notification", {"task_id": "x"})],
}


@pytest.mark.parametrize("lines", FOREIGN.values(), ids=FOREIGN)
@pytest.mark.parametrize("place", range(1, 13))
def test_a_frame_of_another_session_moves_nothing(session: Session, lines: Any, place: int) -> None:
    mine = turn(Printer(ONE), "One")
    session.prints(*mine[:place], *lines(Printer(TWO)), *mine[place:])
    assert session.run == whole("One")


@given(st.integers(1, 12), st.integers(1, 12))
def test_frames_delivered_again_change_nothing(until: int, place: int) -> None:
    session = Playing()
    mine = turn(Printer(ONE), "One")
    session.prints(*mine[:place], *mine[:until], *mine[place:], *mine)
    assert session.run == whole("One")


def test_a_late_item_of_the_former_turn_does_not_reach_the_next(session: Session) -> None:
    session.prints(*turn(session.cli, "One"))
    session.hears(commands.message("again"))
    session.prints(session.cli.block("One 2", Say("One.")), session.cli.returned("toolu One", "y"))
    session.prints(*turn(session.cli, "Two"))
    assert session.runs == [whole("One"), whole("Two")]
