"""``codex exec --json``: one process, one turn, read by position and by proven literals."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.stdio import StdioSession
from turnreel.adapters import codex_literals
from turnreel.adapters.base import Frame
from turnreel.adapters.codex_exec.adapter import ADAPTER
from turnreel.adapters.codex_exec.builders import THREAD, Printer
from turnreel.adapters.codex_exec.commands import message
from turnreel.adapters.codex_exec.render import lines
from turnreel.adapters.openai_responses.adapter import ADAPTER as RESPONSES
from turnreel.adapters.steps import (
    Answer,
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
from turnreel.cassettes.turnfile import render_turns
from turnreel.lifecycle.fold import fold
from turnreel.lifecycle.signals import AnySignal, CancelRequested, Exited, Message, Unreconciled
from turnreel.wire.units import Json, LineFraming, TextUnit

CUT = "stream disconnected before completion: scripted"


class Session(StdioSession):
    """Feeds the real adapters of both tracks through the real translator."""

    def __init__(self) -> None:
        super().__init__(ADAPTER, provider=RESPONSES)
        self.cli = Printer()

    def asked(self) -> Session:
        return self.edge(Message(via="argv")).prints(self.cli.thread(), self.cli.begun())

    def shows(self, expected: str) -> None:
        turns = render_turns(fold(self.events)).replace('"', "'")
        assert turns == dedent(expected).lstrip("\n")


@pytest.fixture
def session() -> Session:
    return Session()


def test_the_last_text_is_final_by_position(session: Session) -> None:
    session.asked().prints(
        session.cli.said("a", "Looking."),
        session.cli.started("c", "command_execution", status="in_progress"),
        session.cli.completed("c", "command_execution", status="failed", exit_code=1),
        session.cli.said("b", "Trying south."),
        session.cli.said("d", "Total is 76."),
        session.cli.ended(),
    )
    session.shows("""
        run
          commentary 'Looking.'
          activity command_execution command failed
          commentary 'Trying south.'
          final 'Total is 76.' positional healthy
    """)


def test_a_retry_is_no_failure(session: Session) -> None:
    """A founding defect: a retryable stream error was counted as a failure."""
    session.asked().prints(
        session.cli.said("a", "Looking."),
        session.cli.retry(1, CUT),
        session.cli.said("b", "Looking."),
        session.cli.said("c", "Done."),
        session.cli.ended(),
    )
    session.shows("""
        run
          health degraded provider_unavailable
          health recovered provider_unavailable
          commentary 'Looking.'
          final 'Done.' positional recovered
    """)


def test_an_unmarked_text_of_a_broken_attempt_stays(session: Session) -> None:
    session.asked().prints(
        session.cli.said("a", "Total is 70."),
        session.cli.retry(1, CUT),
        session.cli.said("b", "Total is 76."),
        session.cli.ended(),
    )
    session.shows("""
        run
          health degraded provider_unavailable
          health recovered provider_unavailable
          commentary 'Total is 70.'
          final 'Total is 76.' positional recovered
    """)


def test_a_text_before_an_activity_is_not_of_the_attempt_that_breaks(session: Session) -> None:
    session.asked().prints(
        session.cli.said("a", "Again."),
        session.cli.started("c", "command_execution", status="in_progress"),
        session.cli.completed("c", "command_execution", status="completed", exit_code=0),
        session.cli.retry(1, CUT),
        session.cli.said("b", "Again."),
        session.cli.ended(),
    )
    session.shows("""
        run
          commentary 'Again.'
          activity command_execution command ok
          health degraded provider_unavailable
          health recovered provider_unavailable
          final 'Again.' positional recovered
    """)


@pytest.mark.parametrize(
    ("sentence", "ending"),
    [(f"{one.head} and more", one.code) for one in codex_literals.CAUSES]
    + [
        ('{"error": {"message": "x", "type": "invalid_request_error"}}', "bad_request"),
        ('{"error": {"message": "about \\"invalid_request_error\\""}}', "unknown"),
        ("Invalid prompt: flagged", "unknown"),
        ("", "unknown"),
    ],
)
def test_a_failure_has_the_code_of_its_literal(
    session: Session, sentence: str, ending: str
) -> None:
    session.asked().prints(session.cli.error(sentence), session.cli.failed(sentence)).exits(1)
    (terminal,) = (e for e in session.events if e.terminal)
    assert getattr(terminal, "code", None) == ending


def test_every_literal_is_proven_once() -> None:
    heads = codex_literals.heads()
    assert len(set(heads)) == len(heads)
    assert all(one.proof for one in (*codex_literals.CAUSES, *codex_literals.QUOTED))


def test_an_error_that_was_not_the_end_is_trouble(session: Session) -> None:
    session.asked().prints(session.cli.error(CUT), session.cli.said("a", "Done."))
    session.prints(session.cli.ended())
    session.shows("""
        run
          health degraded provider_unavailable
          health recovered provider_unavailable
          final 'Done.' positional recovered
    """)


def test_a_limit_that_was_overcome_is_none(session: Session) -> None:
    session.asked().prints(
        session.cli.error("Quota exceeded. Check your plan and billing details.")
    )
    session.prints(session.cli.said("a", "Done."), session.cli.ended())
    session.shows("""
        run
          final 'Done.' positional healthy
    """)


def test_another_transport_lasts_to_the_end(session: Session) -> None:
    warning = session.cli.completed("w", "error", message=f"{codex_literals.FALLBACK} x")
    session.asked().prints(warning, session.cli.said("a", "Done."), session.cli.ended())
    session.shows("""
        run
          health degraded provider_unavailable
          final 'Done.' positional degraded
    """)


def test_a_warning_is_nothing(session: Session) -> None:
    session.asked().prints(session.cli.completed("w", "error", message="Model metadata not found."))
    session.prints(session.cli.said("a", "Done."), session.cli.ended())
    session.shows("""
        run
          final 'Done.' positional healthy
    """)


@pytest.mark.parametrize(
    ("signals", "ending"),
    [
        ((CancelRequested(via="SIGINT"), Exited(code=1)), "cancelled healthy"),
        ((CancelRequested(via="SIGTERM"), Exited(killed_by="SIGTERM")), "cancelled healthy"),
        ((Exited(killed_by="SIGKILL"),), "failed incomplete degraded"),
        ((Exited(code=0),), "failed incomplete degraded"),
    ],
)
def test_an_end_without_a_terminal(
    session: Session, signals: tuple[AnySignal, ...], ending: str
) -> None:
    session.asked().prints(
        session.cli.said("a", "Looking."),
        session.cli.started("c", "command_execution", status="in_progress"),
    )
    session.edge(*signals, Unreconciled())
    state = "cancelled" if ending.startswith("cancelled") else "unknown"
    session.shows(f"""
        run
          commentary 'Looking.'
          activity command_execution command {state}
          {ending}
    """)


def test_an_end_before_the_turn_began(session: Session) -> None:
    session.edge(Message(via="argv")).prints(session.cli.thread()).exits(1)
    session.shows("""
        run
          failed startup degraded
    """)


def test_a_prompt_on_stdin_begins_the_run(session: Session) -> None:
    unit = TextUnit(message("Go.").decode(), LineFraming())
    session.events += session.translator.feed(Frame("agent", "in", 1, 1, unit))
    session._number = 1
    session.exits(1)
    session.shows("""
        run
          failed startup degraded
    """)


def test_what_comes_after_the_end_moves_nothing(session: Session) -> None:
    session.asked().prints(session.cli.said("a", "Done."), session.cli.ended())
    session.prints(session.cli.said("b", "More."), session.cli.failed("x"), session.cli.ended())
    session.exits(0)
    session.shows("""
        run
          final 'Done.' positional healthy
    """)
    assert session.translator.counts["late frame"] == 3


def test_a_plan(session: Session) -> None:
    steps: Json = [{"text": "Read", "completed": True}, {"text": "Sum", "completed": False}]
    session.asked().prints(session.cli.started("p", "todo_list", items=steps))
    assert "Read" in render_turns(fold(session.events))


def test_trouble_of_the_provider_is_this_threads(session: Session) -> None:
    """The stream tells no provider's ids; the request's header names the thread (O4)."""
    session.asked()
    session.feeds("provider", "request", {"headers": {"thread-id": THREAD}}, 1)
    session.feeds("provider", "response", {"status": 503}, 1)
    session.feeds("provider", "end", {}, 1)
    session.prints(session.cli.said("a", "Done."), session.cli.ended())
    session.shows("""
        run
          health degraded provider_unavailable
          health recovered provider_unavailable
          final 'Done.' positional recovered
    """)


def test_the_thread_is_known_although_nobody_told_of_the_prompt() -> None:
    """A stream read from a pipe begins with the thread, before any turn."""
    session = Session().prints(Printer().thread(), Printer().begun())
    session.feeds("provider", "request", {"headers": {"thread-id": THREAD}}, 1)
    session.feeds("provider", "response", {"status": 503}, 1)
    session.feeds("provider", "end", {}, 1)
    session.prints(session.cli.said("a", "Done."), session.cli.ended())
    session.shows("""
        run
          health degraded provider_unavailable
          health recovered provider_unavailable
          final 'Done.' positional recovered
    """)


SCRIPTS: dict[str, tuple[Script, str]] = {
    "several tools": (
        (
            Answer((Think("hm"), Say("First a.csv."), Call("call_1", "cat")), "tool_use"),
            Return("call_1", "1,2"),
            Answer((Call("call_2", "file_change"),), "tool_use"),
            Return("call_2", outcome="failed"),
            Answer((Say("Total is 76."),)),
            End(),
        ),
        """
        run
          commentary 'First a.csv.'
          activity command_execution command ok
          activity file_change file_change failed
          final 'Total is 76.' positional healthy
        """,
    ),
    "a retry": (
        (Reject(429), Break("Half"), Answer((Say("Recovered."),)), End()),
        """
        run
          health degraded rate_limited
          health degraded provider_unavailable
          health recovered provider_unavailable
          final 'Recovered.' positional recovered
        """,
    ),
    "a limit": (
        (Answer((Say("Cut"),), "max_tokens"), End()),
        "run\n  failed output_truncated healthy\n",
    ),
    "a cancel has no frame": ((Interrupt("tok0"),), "run\n  open\n"),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_gives_the_turn_that_was_written(session: Session, name: str) -> None:
    script, expected = SCRIPTS[name]
    session.edge(Message(via="argv")).prints(*(line for _, line in lines(script)))
    session.shows(expected)
    assert lines(script) == lines(script)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "item", "id", "text", "message", "error", "status", "items"])
            | st.text(max_size=3),
            inner | st.sampled_from(["item.completed", "error", "agent_message", "todo_list"]),
            max_size=5,
        )
    ),
    max_leaves=10,
)


@given(values=st.lists(JSON, max_size=6))
def test_anything_is_read(values: list[Any]) -> None:
    session = Session()
    session.asked().prints(*values).exits(0)
    assert sum(e.terminal for e in session.events) == 1
