"""Runs: what vouches for an answer, who stopped, and listeners that come and go (C2, T4, T7)."""

from __future__ import annotations

import pytest

from tests.adapters.hearing import Hearing, fields
from turnreel.adapters.hermes_runs.builders import RUN, Stream, closed
from turnreel.lifecycle.signals import CancelRequested, Closed, Unreconciled
from turnreel.wire.units import BodyFraming, Json, JsonUnit

PATH = f"/v1/runs/{RUN}/events"


@pytest.fixture
def heard() -> Hearing:
    return Hearing("hermes-runs")


def test_an_answer_without_the_mark_of_a_whole_call_was_cut(heard: Hearing) -> None:
    stream = Stream()
    heard.streams(stream.tool_started("terminal"), stream.tool_completed("terminal", error=False))
    heard.streams(stream.delta("\n\nHalf an ans"), stream.completed("Half an ans"))
    assert heard.run == ["terminal command ok", "failed missing_final degraded"]


@pytest.mark.parametrize(
    ("output", "code", "health"),
    [
        ("⚠️ No reply: the model returned empty content", "missing_final", "degraded"),
        (
            "Sum.\n\n⚠️ No reply: the maximum tool-iteration limit was reached",
            "max_turns",
            "healthy",
        ),
        ("", "missing_final", "degraded"),
        ("Never streamed.", "missing_final", "degraded"),
    ],
)
def test_an_output_that_was_not_streamed_is_no_answer(
    heard: Hearing, output: str, code: str, health: str
) -> None:
    heard.streams(Stream().completed(output))
    assert heard.run == [f"failed {code} {health}"]


def test_an_output_at_odds_with_the_stream_is_no_answer(heard: Hearing) -> None:
    stream = Stream()
    heard.streams(stream.delta("One."), stream.echo("One."), stream.completed("Two."))
    assert heard.run == ["failed missing_final degraded"]


def test_an_output_with_a_footer_wins_and_degrades(heard: Hearing) -> None:
    stream = Stream()
    heard.streams(stream.delta("One."), stream.echo("One."), stream.completed("One.\n\nFooter."))
    assert heard.run == ['final "One.\n\nFooter." degraded']


def test_a_failed_run_says_its_code(heard: Hearing) -> None:
    heard.streams(Stream().failed("HTTP 500: The server had an error"))
    assert heard.run == ["failed provider_unavailable degraded"]


def test_a_cancel_that_nobody_asked_for_is_a_loss(heard: Hearing) -> None:
    stream = Stream()
    heard.streams(stream.delta("tok0"), stream.cancelled())
    assert heard.run == ["failed incomplete degraded"]


@pytest.mark.parametrize("named", [None, RUN])
def test_a_stop_cancels(heard: Hearing, named: str | None) -> None:
    stream = Stream()
    heard.streams(stream.delta("tok0")).edge(CancelRequested(turn=named, via="stop"))
    assert heard.streams(stream.cancelled()).run == ["cancelled healthy"]


def test_a_stop_of_another_run_is_none(heard: Hearing) -> None:
    stream = Stream()
    heard.streams(stream.delta("tok0")).edge(CancelRequested(turn="run_other", via="stop"))
    assert heard.streams(stream.cancelled()).run == ["failed incomplete degraded"]


def test_a_tool_closed_by_a_stop_is_cancelled(heard: Hearing) -> None:
    stream = Stream()
    heard.streams(stream.tool_started("terminal"), stream.asks("rm -rf x"))
    heard.edge(CancelRequested())
    heard.streams(stream.tool_completed("terminal", error=True), stream.cancelled())
    assert heard.run == [
        "terminal command cancelled",
        "gate approval withdrawn",
        "cancelled healthy",
    ]


def test_a_question_that_nobody_answers_expires(heard: Hearing) -> None:
    stream = Stream()
    heard.streams(stream.tool_started("terminal"), stream.asks("/bin/rm -rf x"))
    heard.streams(stream.tool_completed("terminal", error=True))
    heard.streams(stream.delta("Not done."), stream.echo("Not done."))
    heard.streams(stream.completed("Not done."))
    assert heard.prompts == ["Allow terminal: rm?"]
    assert heard.run == [
        "terminal command declined",
        "gate approval expired",
        'final "Not done." healthy',
    ]


def test_a_question_left_open_by_a_lost_stream_is_parked(heard: Hearing) -> None:
    stream = Stream()
    heard.streams(stream.tool_started("terminal"), stream.asks("rm -rf x")).ends()
    assert heard.run == [
        "terminal command unknown",
        "gate approval parked",
        'needs_input "Allow terminal: rm?" healthy',
    ]


def test_the_answer_to_the_start_names_the_run(heard: Hearing) -> None:
    stream = Stream()
    heard.asks("POST", "/v1/runs", 1).status(202, 1)
    heard.frame("data", fields(run_id=RUN, status="started"), 1)
    assert heard.run == ["open"]
    heard.asks("GET", PATH, 2).status(200, 2)
    heard.streams(stream.delta("Hi."), stream.echo("Hi."), stream.completed("Hi."), exchange=2)
    assert heard.run == ['final "Hi." healthy']


def test_a_run_nobody_knows_cannot_be_listened_to(heard: Hearing) -> None:
    assert heard.asks("GET", PATH).status(404).events == []


def test_listening_again_goes_on_with_the_run_and_repeats_nothing(heard: Hearing) -> None:
    stream = Stream()
    first = [stream.delta("Hel"), stream.delta("lo.")]
    heard.asks("GET", PATH, 1).status(200, 1).streams(*first, exchange=1)
    heard.asks("GET", PATH, 2).status(200, 2).streams(*first, exchange=2)
    heard.streams(stream.echo("Hello."), stream.completed("Hello."), closed(), exchange=2)
    assert heard.run == ['final "Hello." healthy']


def test_a_stolen_stream_shows_what_it_has(heard: Hearing) -> None:
    stream = Stream()
    heard.streams(stream.delta("Now I'll "), stream.echo("Now I'll check beta."))
    heard.streams(stream.tool_completed("terminal", error=False), stream.delta("**76**"))
    heard.streams(stream.echo("The total is **76**."))
    assert heard.ends().run == ["said Now I'll", "failed incomplete degraded"]
    assert heard.noted["orphan tool result"] == 1


def test_a_status_asked_for_ends_nothing(heard: Hearing) -> None:
    heard.streams(Stream().delta("tok0"))
    heard.frame("data", fields(object="hermes.run", run_id=RUN, status="completed", output="x"), 2)
    assert heard.run == ["open"]


def asked(heard: Hearing, status: str, **more: Json) -> Hearing:
    """The stream was cut, and the host asked how the run stands."""
    told: dict[str, Json] = {"object": "hermes.run", "run_id": RUN, "status": status, **more}
    heard.edge(Closed(turn=RUN)).frame("data", JsonUnit(told, BodyFraming()), 9)
    return heard.edge(Unreconciled(turn=RUN))


USED: dict[str, Json] = {"total_tokens": 9}


@pytest.mark.parametrize(
    ("said", "output", "ending"),
    [
        ("The total", "The total is 76.", 'final "The total is 76." degraded'),
        ("", "The total is 76.", 'final "The total is 76." degraded'),
        ("A total", "The total is 76.", "failed missing_final degraded"),
        ("", "I look first.", "failed missing_final degraded"),
        ("", "", "failed missing_final degraded"),
        ("", "x\n\n⚠️ No reply: the maximum tool-iteration limit was reached", "failed max_turns"),
    ],
)
def test_what_a_cut_run_says_when_asked_is_its_receipt(
    heard: Hearing, said: str, output: str, ending: str
) -> None:
    stream = Stream()
    heard.streams(stream.delta("I look first."), stream.tool_started("terminal"))
    heard.streams(stream.tool_completed("terminal", error=False))
    if said:
        heard.streams(stream.delta(said))
    asked(heard, "completed", output=output, usage=USED)
    assert heard.run[-1].startswith(ending)


def test_an_answer_while_the_run_is_heard_is_none(heard: Hearing) -> None:
    heard.streams(Stream().delta("The total"))
    told: dict[str, Json] = {"object": "hermes.run", "run_id": RUN, "status": "completed"}
    told |= {"output": "The total is 76.", "usage": USED}
    heard.frame("data", JsonUnit(told, BodyFraming()), 9)
    assert heard.ends().run == ["failed incomplete degraded"]


@pytest.mark.parametrize("is_asked_for", [True, False])
def test_a_run_that_was_cancelled_is_as_the_host_wanted(heard: Hearing, is_asked_for: bool) -> None:
    heard.streams(Stream().delta("The total"))
    if is_asked_for:
        heard.edge(CancelRequested(turn=RUN))
    asked(heard, "cancelled")
    assert heard.run == ["cancelled healthy" if is_asked_for else "failed incomplete degraded"]
