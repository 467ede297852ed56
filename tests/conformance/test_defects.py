"""What hosts of Codex and Hermes were seen to get wrong, by name. Each test plays the stream that
did it, as the agent prints it, and says what a person must see.
"""

from __future__ import annotations

import pytest

from tests.adapters.hearing import Hearing, Line
from turnreel.adapters.codex_app_server import builders as app
from turnreel.adapters.codex_app_server import commands
from turnreel.adapters.codex_app_server.builders import Server
from turnreel.adapters.codex_exec.builders import Printer
from turnreel.adapters.hermes_session import builders as rows
from turnreel.adapters.hermes_session.builders import Stream
from turnreel.adapters.steps import Answer, Call, End, Fail, Return, Say, Script
from turnreel.conformance.scenarios.playing import played
from turnreel.lifecycle.events import Commentary
from turnreel.lifecycle.fold import fold
from turnreel.lifecycle.signals import Exited, Message, Unreconciled
from turnreel.wire.units import Json

HERMES = (
    "hermes-session", "hermes-runs", "hermes-tui", "hermes-chat", "hermes-responses", "hermes-acp",
)  # fmt: skip
CODEX = ("codex-app-server", "codex-exec")
LOOP: Script = (
    Answer((Say("I'll list the sheets."), Call("call_1", "command")), "tool_use"),
    Return("call_1", "north.csv"),
    Answer((Say("Now the south."), Call("call_2", "command")), "tool_use"),
    Return("call_2", "south.csv"),
    Answer((Say("The total is 76."),)),
    End(),
)


def codex() -> tuple[Hearing, Server]:
    """A turn of the app-server that has begun."""
    heard, server = Hearing("codex-app-server"), Server()
    server.next_turn()
    heard.writes(commands.message(1, server.thread, "Go."))
    return heard.prints(server.accepted(1), server.begun()), server


def execs() -> tuple[Hearing, Printer]:
    """A turn of exec that has begun."""
    heard, printer = Hearing("codex-exec"), Printer()
    heard.edge(Message(via="argv"))
    return heard.prints(printer.thread(), printer.begun()), printer


def says(heard: Hearing, server: Server, item: str, text: str, phase: str | None) -> None:
    heard.prints(server.started(app.message(item, "", phase)), server.delta(item, text))
    heard.prints(server.completed(app.message(item, text, phase)))


# Any streamed delta suppressed the final that Codex selects


@pytest.mark.parametrize("streamed", ["commentary", "final_answer", None])
def test_a_streamed_delta_suppresses_no_selected_final(streamed: str | None) -> None:
    heard, server = codex()
    says(heard, server, "msg_1", "Adding up.", streamed)
    says(heard, server, "msg_2", "The total is 76.", "final_answer")
    named = app.message("msg_2", "The total is 76.", "final_answer")
    heard.prints(server.ended("completed", named))
    assert heard.run == ["said Adding up.", 'final "The total is 76." healthy']


def test_the_deltas_of_the_final_itself_suppress_it_no_more() -> None:
    heard, server = codex()
    says(heard, server, "msg_1", "The total is 76.", "final_answer")
    heard.prints(
        server.ended("completed", app.message("msg_1", "The total is 76.", "final_answer"))
    )
    assert heard.run == ['final "The total is 76." healthy']
    assert not any(isinstance(event, Commentary) for event in heard.events)


# The first commentary was promoted to final


@pytest.mark.parametrize("dialect", [*CODEX, *HERMES])
def test_commentary_is_never_promoted_to_final(dialect: str) -> None:
    script: Script = (*LOOP[:4], Answer(()), End())
    (view,) = fold(played(dialect, script))
    assert view.terminal is not None
    assert (view.terminal.type, view.terminal.code) == ("failed", "missing_final")


def test_a_turn_of_commentary_alone_has_no_final() -> None:
    heard, server = codex()
    says(heard, server, "msg_1", "I'll list the sheets.", "commentary")
    heard.prints(server.usage(), server.ended("completed"))
    assert heard.run == ["said I'll list the sheets.", "failed missing_final degraded"]


# What Hermes said in a tool loop piled up in the answer


@pytest.mark.parametrize("dialect", HERMES)
def test_the_answer_holds_nothing_that_was_said_between_tools(dialect: str) -> None:
    (view,) = fold(played(dialect, LOOP))
    assert view.terminal is not None
    assert (view.terminal.type, view.terminal.text) == ("final", "The total is 76.")
    said = [entry.text for entry in view.entries if hasattr(entry, "text")]
    assert said == ["I'll list the sheets.", "Now the south."]


# The flags of Hermes' run.completed were believed

STOPPED: list[Json] = [rows.said("The total is 76.")]
BELIEVED: dict[str, tuple[str, list[Json], str]] = {
    "400": ("HTTP 400: Invalid value", [], "bad_request degraded"),
    "401": ("HTTP 401: Invalid key", [], "auth degraded"),
    "429 exhausted": (
        "API call failed after 3 retries: HTTP 429: Slow down",
        [],
        "rate_limited degraded",
    ),
    "500 exhausted": (
        "API call failed after 3 retries: HTTP 500: Oops",
        [],
        "provider_unavailable degraded",
    ),
    "empty": ("⚠️ No reply: the model returned empty content", [], "missing_final degraded"),
    "truncated": ("The total", [rows.said("The total", "length")], "output_truncated healthy"),
    "after a tool": (
        "HTTP 400: Invalid value",
        [rows.said("Let me see.", "tool_calls", [{"id": "call_1"}]), rows.returned("todo", "{}")],
        "bad_request degraded",
    ),
}


@pytest.mark.parametrize("name", BELIEVED)
def test_a_run_that_calls_itself_completed_is_not_believed(name: str) -> None:
    """The session stream's flags are constants; only the rows that it ends with tell."""
    content, told, ending = BELIEVED[name]
    stream = Stream()
    heard = Hearing("hermes-session").streams(stream.started(), stream.opened())
    heard.streams(stream.answered(content), stream.completed(told), stream.done())
    assert heard.run == [f"failed {ending}"]


@pytest.mark.parametrize("dialect", HERMES)
@pytest.mark.parametrize(
    ("status", "code"), [(400, "bad_request"), (401, "auth"), (429, "rate_limited")]
)
def test_an_error_is_no_answer_on_any_surface(dialect: str, status: int, code: str) -> None:
    (view,) = fold(played(dialect, (*LOOP[:2], Fail(status))))
    assert view.terminal is not None
    assert (view.terminal.type, view.terminal.code) == ("failed", code)
    assert "HTTP" not in view.terminal.text


# task_complete was taken for success

COMPLETE: Line = {"type": "task_complete", "turn_id": "t", "last_agent_message": "The total is 76."}


@pytest.mark.parametrize("frame", [COMPLETE, {"type": "event_msg", "payload": COMPLETE}])
def test_task_complete_ends_nothing(frame: Line) -> None:
    for heard in (codex()[0], execs()[0]):
        heard.prints(frame).edge(Exited(code=0), Unreconciled())
        assert heard.run == ["failed incomplete degraded"]


# An error that is retried was counted as a failure


def test_an_error_that_is_retried_is_no_failure_on_the_app_server() -> None:
    """The sequence of v0.6.116: error, retried, completed, exit 0."""
    heard, server = codex()
    heard.prints(server.error(app.words(app.DISCONNECTED, "Reconnecting... 1/5"), retries=True))
    says(heard, server, "msg_1", "The total is 76.", "final_answer")
    heard.prints(server.usage(), server.ended("completed")).edge(Exited(code=0), Unreconciled())
    assert heard.run == [
        "degraded provider_unavailable",
        "recovered provider_unavailable",
        'final "The total is 76." recovered',
    ]


def test_an_error_that_is_retried_is_no_failure_on_exec() -> None:
    heard, printer = execs()
    heard.prints(printer.retry(1, "stream disconnected before completion: scripted"))
    heard.prints(printer.said("msg_1", "The total is 76."), printer.ended())
    heard.edge(Exited(code=0), Unreconciled())
    assert heard.run[-1] == 'final "The total is 76." positional recovered'


def test_an_error_alone_ends_no_turn() -> None:
    heard, server = codex()
    heard.prints(server.error(app.words("other"), retries=False))
    assert heard.run == ["open"]
    says(heard, server, "msg_1", "The total is 76.", "final_answer")
    heard.prints(server.ended("completed"))
    assert heard.run[-1].startswith('final "The total is 76."')


# Shutting down overwrote what was completed: test_two_axes, line 6
# Parent and child disagreed: test_two_axes, line 7
