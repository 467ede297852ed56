"""The TUI gateway: live commentary, sessions, questions and messages that wait (C7, G4, R9)."""

from __future__ import annotations

import pytest

from tests.adapters.hearing import Hearing, fields
from turnreel.adapters.hermes.rendering import NOTICE
from turnreel.adapters.hermes_tui import builders as tui
from turnreel.adapters.hermes_tui import commands
from turnreel.adapters.hermes_tui.builders import SESSION
from turnreel.lifecycle.events import Commentary
from turnreel.lifecycle.signals import CancelRequested, Exited, Unreconciled


@pytest.fixture
def heard() -> Hearing:
    heard = Hearing("hermes-tui").writes(commands.message("1", SESSION, "Go."))
    return heard.prints(tui.started(), tui.reply("1", "streaming"))


def commentary(heard: Hearing) -> list[tuple[int, int, str, bool]]:
    told = [event for event in heard.events if isinstance(event, Commentary)]
    return [(event.revision, event.offset, event.text, event.done) for event in told]


def test_commentary_is_shown_while_its_tool_call_is_written(heard: Hearing) -> None:
    heard.prints(tui.delta("I'll "), tui.delta("list."), tui.generating("terminal"))
    assert commentary(heard) == [(1, 0, "I'll list.", False)]
    heard.prints(tui.delta(" Now."), tui.interim("I'll list. Now."))
    assert commentary(heard)[1:] == [(1, 10, " Now.", False), (1, 15, "", True)]


def test_text_is_not_shown_before_anything_says_what_it_is(heard: Hearing) -> None:
    heard.prints(tui.delta("Maybe"), tui.delta(" the answer."))
    assert commentary(heard) == []


def test_a_broken_attempt_is_said_again_as_the_same_message(heard: Hearing) -> None:
    heard.prints(tui.delta("Calling."), tui.generating("terminal"), tui.delta(NOTICE))
    heard.prints(tui.delta("Calling a tool."), tui.generating("terminal"))
    heard.prints(tui.interim("Calling a tool."), tui.tool_started("t1", "terminal"))
    assert len({e.message_id for e in heard.events if isinstance(e, Commentary)}) == 1
    assert commentary(heard)[1][:3] == (2, 0, "Calling a tool.")
    assert heard.run[:2] == ["said Calling a tool.", "degraded provider_unavailable"]


def test_a_broken_attempt_that_is_never_said_again_is_taken_back(heard: Hearing) -> None:
    heard.prints(tui.delta("Calling."), tui.generating("terminal"), tui.delta(NOTICE))
    heard.prints(tui.completed("HTTP 500: gone", "error"))
    assert heard.run == ["degraded provider_unavailable", "failed provider_unavailable degraded"]


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        ("HTTP 400: Invalid", "error", "failed bad_request degraded"),
        ("Half Half", "error", "failed unknown degraded"),
        ("⚠️ No reply: the model returned empty", "complete", "failed missing_final degraded"),
        (None, "complete", "failed missing_final degraded"),
    ],
)
def test_an_end_without_an_answer_is_a_failure(
    heard: Hearing, text: str | None, status: str, told: str
) -> None:
    assert heard.prints(tui.completed(text, status)).run == [told]


def test_a_text_at_odds_with_the_stream_is_no_answer(heard: Hearing) -> None:
    heard.prints(tui.delta("One."), tui.completed("Two."))
    assert heard.run == ["failed missing_final degraded"]


def test_an_answer_that_was_called_interim_is_shown_once(heard: Hearing) -> None:
    heard.prints(tui.delta("Done."), tui.interim("Done."), tui.completed("Done."))
    assert heard.run == ['final "Done." healthy']


def test_an_interim_said_twice_is_one(heard: Hearing) -> None:
    heard.prints(tui.delta("Hm."), tui.interim("Hm."), tui.interim("Hm."))
    assert heard.run == ["said Hm.", "open"]


def test_reasoning_leaves_nothing(heard: Hearing) -> None:
    heard.prints(tui.reasoning("secret chain of thought"), tui.delta("r."), tui.completed("r."))
    assert heard.run == ['final "r." healthy']


def test_a_question_is_answered_by_its_id(heard: Hearing) -> None:
    heard.prints(tui.tool_started("t1", "clarify"), tui.question("q1", "Which?", "EU", "US"))
    heard.writes(commands.answer("2", "q1", "EU"))
    heard.prints(tui.tool_completed("t1", "clarify", {"user_response": "EU"}))
    heard.prints(tui.delta("EU."), tui.completed("EU."))
    assert heard.prompts == ["Which?"]
    assert heard.run == [
        "clarify question ok",
        "gate question answered",
        'final "EU." healthy',
    ]


def test_approvals_are_answered_in_their_order(heard: Hearing) -> None:
    heard.prints(tui.tool_started("t1", "terminal"), tui.asks("rm a"), tui.asks("rm b"))
    heard.writes(commands.approve("2", SESSION, "deny"), commands.approve("3", SESSION, "once"))
    assert heard.run == [
        "terminal command started",
        "gate approval declined",
        "gate approval approved",
        "open",
    ]


def test_a_hang_up_withdraws_what_is_asked(heard: Hearing) -> None:
    heard.prints(tui.tool_started("t1", "terminal"), tui.asks("rm a"))
    heard.frame("eof", fields(stream="stdin"))
    assert heard.run[1] == "gate approval withdrawn"


def test_a_message_that_waits_begins_a_turn_of_its_own(heard: Hearing) -> None:
    heard.prints(tui.delta("tok0")).writes(commands.message("2", SESSION, "And?"))
    heard.prints(tui.reply("2", "queued"), tui.completed("tok0", "interrupted"))
    heard.prints(tui.started(), tui.delta("Yes."), tui.completed("Yes."))
    assert heard.runs == [["cancelled healthy"], ['final "Yes." healthy']]


def test_a_message_put_into_the_turn_joins_it(heard: Hearing) -> None:
    heard.writes(commands.message("2", SESSION, "Faster.")).prints(tui.reply("2", "steered"))
    heard.prints(tui.delta("Yes."), tui.completed("Yes.")).edge(Exited(code=0), Unreconciled())
    assert heard.runs == [['final "Yes." healthy']]


def test_a_message_nobody_took_is_a_run_that_never_started(heard: Hearing) -> None:
    heard.writes(commands.message("2", SESSION, "And?")).prints(tui.reply("2", "queued"))
    heard.prints(tui.delta("Yes."), tui.completed("Yes.")).edge(Exited(code=0), Unreconciled())
    assert heard.runs == [['final "Yes." healthy'], ["failed startup degraded"]]


def test_a_refused_prompt_is_a_failed_run() -> None:
    heard = Hearing("hermes-tui").writes(commands.message("1", SESSION, "Go."))
    assert heard.prints(tui.refusal("1")).run == ["failed startup degraded"]


def test_an_interruption_that_nobody_asked_for_is_a_loss(heard: Hearing) -> None:
    heard.prints(tui.delta("tok0"), tui.completed("tok0", "interrupted"))
    assert heard.run == ["failed incomplete degraded"]


def test_an_interruption_seen_without_the_client_is_a_cancel() -> None:
    heard = Hearing("hermes-tui").prints(tui.started(), tui.delta("tok0"))
    assert heard.prints(tui.completed("tok0", "interrupted")).run == ["cancelled healthy"]


def test_the_edge_cancels_as_the_client_does(heard: Hearing) -> None:
    heard.prints(tui.delta("tok0")).edge(CancelRequested(via="SIGINT"))
    assert heard.prints(tui.completed(None, "interrupted")).run == ["cancelled healthy"]


def test_sessions_are_kept_apart() -> None:
    heard = Hearing("hermes-tui")
    for session in ("a", "b"):
        heard.prints(tui.event("message.start", session=session))
    heard.prints(tui.event("message.delta", {"text": "A."}, "a"))
    heard.prints(tui.event("message.delta", {"text": "B."}, "b"))
    for session, text in (("b", "B."), ("a", "A.")):
        heard.prints(tui.event("message.complete", {"text": text, "status": "complete"}, session))
    assert heard.runs == [['final "A." healthy'], ['final "B." healthy']]


def test_the_history_of_a_resumed_session_is_no_turn() -> None:
    messages = [{"role": "user", "text": "Go."}, {"role": "assistant", "text": "Hello."}]
    heard = Hearing("hermes-tui").writes(commands.resume("1", "stored"))
    heard.prints({"jsonrpc": "2.0", "id": "1", "result": {"messages": messages}})
    assert heard.events == []


def test_a_subagent_is_a_run_of_its_own(heard: Hearing) -> None:
    child = {"goal": "g", "task_index": 0, "subagent_id": "c1"}
    heard.prints(tui.tool_started("t1", "delegate_task"), tui.event("subagent.start", child))
    done = {**child, "status": "completed", "summary": "Looked it up."}
    heard.prints(
        tui.event("subagent.complete", done), tui.tool_completed("t1", "delegate_task", {})
    )
    heard.prints(tui.delta("Done."), tui.completed("Done."))
    assert heard.run == [
        "delegate_task subagent ok",
        '  final "Looked it up." runtime healthy',
        'final "Done." healthy',
    ]


def test_a_todo_list_is_a_plan(heard: Hearing) -> None:
    heard.prints(tui.tool_started("t1", "todo"))
    told = tui.tool_completed("t1", "todo", {"success": True})
    told["params"]["payload"]["todos"] = [{"content": "Add", "status": "pending"}]  # type: ignore[call-overload,index]
    assert heard.prints(told).run == ["todo other ok", "plan Add pending", "open"]
