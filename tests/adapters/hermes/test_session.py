"""The session stream: flags that are constants, and rows that are not (C2, C5, T10)."""

from __future__ import annotations

import pytest

from tests.adapters.hearing import Hearing
from turnreel.adapters.bodies import Event
from turnreel.adapters.hermes_session.builders import Stream, returned, said
from turnreel.lifecycle.signals import CancelRequested, Closed, Unreconciled
from turnreel.wire.units import Json


@pytest.fixture
def heard() -> Hearing:
    return Hearing("hermes-session")


def turn(*between: Event, content: str, rows: list[Json], stream: Stream) -> list[Event]:
    head = [stream.started(), stream.opened(), *between]
    return [*head, stream.answered(content), stream.completed(rows), stream.done()]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("HTTP 400: Invalid value", "bad_request"),
        ("API call failed after 3 retries: HTTP 429: Rate limit", "rate_limited"),
        ("⚠️ No reply: the model returned empty content", "missing_final"),
        ("Operation interrupted.", "missing_final"),
    ],
)
def test_an_error_that_is_called_completed_is_no_answer(
    heard: Hearing, content: str, code: str
) -> None:
    stream = Stream()
    heard.streams(*turn(content=content, rows=[], stream=stream))
    assert heard.run == [f"failed {code} degraded"]


def test_an_answer_cut_by_the_limit_is_told_by_its_row(heard: Hearing) -> None:
    stream = Stream()
    rows: list[Json] = [said("Half", "length"), said("Half", "length")]
    pieces = [stream.delta("Half"), stream.delta("Half")]
    heard.streams(*turn(*pieces, content="HalfHalf", rows=rows, stream=stream))
    assert heard.run == ["failed output_truncated healthy"]


def test_an_answer_continued_after_a_cut_is_one(heard: Hearing) -> None:
    stream = Stream()
    rows: list[Json] = [said("Half and ", "length"), said("half.")]
    pieces = [stream.delta("Half and "), stream.delta("half."), stream.echo("half.")]
    heard.streams(*turn(*pieces, content="Half and half.", rows=rows, stream=stream))
    assert heard.run == ['final "Half and half." healthy']


def test_a_comment_before_a_tool_is_never_the_answer(heard: Hearing) -> None:
    stream = Stream()
    between = [
        stream.delta("Your totals are 76 and 22."),
        stream.echo("Your totals are 76 and 22."),
        stream.tool_started("todo"),
        stream.tool_completed("todo"),
    ]
    rows: list[Json] = [returned("todo", '{"todos": []}'), said("(empty)")]
    heard.streams(*turn(*between, content="Your totals are 76 and 22.", rows=rows, stream=stream))
    assert heard.run == [
        "said Your totals are 76 and 22.",
        "todo other ok",
        "failed missing_final degraded",
    ]


def test_the_echo_is_a_boundary_and_no_text(heard: Hearing) -> None:
    stream = Stream()
    between = [stream.delta("Visible."), stream.echo("hiddenVisible.")]
    heard.streams(*turn(*between, content="Visible.", rows=[said("Visible.")], stream=stream))
    assert heard.run == ['final "Visible." healthy']


def test_an_unknown_tool_leaves_a_boundary(heard: Hearing) -> None:
    stream = Stream()
    between = [stream.delta("Trying."), stream.echo("Trying."), stream.delta("Done.")]
    between.append(stream.echo("Done."))
    rows: list[Json] = [returned("nothing", "no such tool"), said("Done.")]
    heard.streams(*turn(*between, content="Done.", rows=rows, stream=stream))
    assert heard.run == ["said Trying.", 'final "Done." healthy']


def test_an_answer_that_was_not_streamed_is_vouched_for_by_its_row(heard: Hearing) -> None:
    stream = Stream()
    heard.streams(*turn(content="Whole.", rows=[said("Whole.")], stream=stream))
    assert heard.run == ['final "Whole." healthy']


def test_rows_tell_tools_of_one_name_apart_by_order(heard: Hearing) -> None:
    stream = Stream()
    between = [stream.tool_started("terminal"), stream.tool_started("terminal")]
    between += [stream.tool_completed("terminal"), stream.tool_completed("terminal")]
    between.append(stream.delta("Done."))
    rows: list[Json] = [
        returned("terminal", '{"exit_code": 1}'),
        returned("terminal", '{"exit_code": 0}'),
        said("Done."),
    ]
    heard.streams(*turn(*between, content="Done.", rows=rows, stream=stream))
    assert heard.run == [
        "terminal command failed",
        "terminal command ok",
        'final "Done." healthy',
    ]


def test_a_tool_that_nobody_could_approve_is_declined(heard: Hearing) -> None:
    stream = Stream()
    between = [stream.tool_started("terminal"), stream.tool_completed("terminal")]
    between.append(stream.delta("Not done."))
    blocked = '{"exit_code": -1, "error": "", "status": "pending_approval"}'
    rows: list[Json] = [returned("terminal", blocked), said("Not done.")]
    heard.streams(*turn(*between, content="Not done.", rows=rows, stream=stream))
    assert heard.run == ["terminal command declined", 'final "Not done." healthy']


def test_a_bare_done_decides_nothing(heard: Hearing) -> None:
    stream = Stream()
    heard.streams(stream.started(), stream.opened(), stream.delta("tok0"), stream.done())
    assert heard.run == ["open"]
    assert heard.ends().run == ["failed incomplete degraded"]


def test_a_raised_error_ends_the_turn(heard: Hearing) -> None:
    stream = Stream()
    heard.streams(stream.started(), stream.error("HTTP 500: boom"), stream.done())
    assert heard.run == ["failed provider_unavailable degraded"]


def test_two_exchanges_are_two_runs_and_signals_name_them(heard: Hearing) -> None:
    one, two = Stream("run_1"), Stream("run_2")
    path = "/api/sessions/s/chat/stream"
    heard.asks("POST", path, 1).asks("POST", path, 2)
    heard.streams(one.started(), one.delta("One"), exchange=1)
    heard.streams(two.started(), two.delta("Two"), exchange=2)
    heard.edge(CancelRequested(turn="1"), Closed(turn="1"), Unreconciled(turn="1"))
    heard.edge(Closed(turn="2"), Unreconciled(turn="2"))
    assert heard.runs == [["cancelled healthy"], ["failed incomplete degraded"]]
