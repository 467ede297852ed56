"""How a turn ends (C2, C5, C6, T3, T5, T7, T8)."""

from __future__ import annotations

from typing import Any

import pytest

from turnreel.adapters.claude_stream_json.codes import code_of, code_of_retry
from turnreel.adapters.claude_stream_json.frames import Words
from turnreel.adapters.steps import Call, Say
from turnreel.lifecycle.signals import CancelRequested

Session = Any


def test_an_answer_that_the_result_contradicts_is_no_answer(session: Session) -> None:
    session.asked().says("m1", Say("Total is 76.")).succeeds("Something else.")
    assert session.run == ["failed missing_final degraded"]


def test_success_without_text_is_a_missing_answer(session: Session) -> None:
    session.asked().streams("m1", Say("Chatter."), Call("toolu_1", "Read"), stop="tool_use")
    session.prints(session.cli.returned("toolu_1", "x")).streams("m2").succeeds("")
    assert session.run[-1] == "failed missing_final degraded"
    assert session.run[0] == "said Chatter."


def test_the_error_text_of_the_runtime_is_never_an_answer(session: Session) -> None:
    session.asked().prints(
        session.cli.failure("rate_limit", 429),
        session.cli.result(
            "API Error: scripted",
            is_error=True,
            terminal_reason="api_error",
            api_error_status=429,
        ),
    )
    assert session.run == ["failed rate_limited degraded"]


def test_a_limit_that_the_error_frame_does_not_name_is_still_no_trouble(session: Session) -> None:
    session.asked().prints(
        session.cli.failure("invalid_request", 400),
        session.cli.result("x", is_error=True, terminal_reason="prompt_too_long"),
    )
    assert session.run == ["failed context_exhausted healthy"]


def test_an_error_before_a_cancel_is_trouble_still_pending(session: Session) -> None:
    session.asked().prints(session.cli.failure("server_error", 500))
    session.edge(CancelRequested(via="SIGINT")).exits(0)
    assert session.run == ["degraded provider_unavailable", "cancelled degraded"]


def test_credit_used_up_is_quota_whatever_the_status(session: Session) -> None:
    session.asked().prints(
        session.cli.failure("billing_error", 400),
        session.cli.result("x", is_error=True, terminal_reason="api_error", api_error_status=400),
    )
    assert session.run == ["failed quota healthy"]


def test_an_earlier_error_that_was_overcome_is_not_the_cause(session: Session) -> None:
    session.asked().prints(session.cli.failure("rate_limit", 429))
    session.says("m1", Say("Going on."), Call("toolu_1", "Read"))
    session.prints(session.cli.error("error_during_execution"))
    assert session.run[-1] == "failed unknown degraded"


@pytest.mark.parametrize(
    ("subtype", "code"),
    [("error_max_turns", "max_turns"), ("error_max_budget_usd", "budget")],
)
def test_limits_do_not_degrade(session: Session, subtype: str, code: str) -> None:
    session.asked().says("m1", Say("One."), Call("toolu_1", "Read"))
    session.prints(session.cli.returned("toolu_1", "x"), session.cli.error(subtype))
    assert session.run == ["said One.", "Read file_read ok", f"failed {code} healthy"]


def test_a_deferred_tool_asks_the_person(session: Session) -> None:
    session.asked().says("m1", Say("Reading."), Call("toolu_1", "Read"))
    session.succeeds(
        "", terminal_reason="tool_deferred", deferred_tool_use={"id": "toolu_1", "name": "Read"}
    )
    assert session.run[:3] == ["said Reading.", "Read file_read unknown", "gate approval parked"]
    assert session.run[-1].startswith("needs_input")


def test_structured_output_stands_alone(session: Session) -> None:
    session.asked().streams("m1", Call("toolu_1", "StructuredOutput"), stop="tool_use")
    session.prints(session.cli.returned("toolu_1", "ok"))
    session.succeeds('{"total":76}', structured_output={"total": 76}, stop_reason="tool_use")
    assert session.run == ["StructuredOutput other ok", 'final "{"total":76}" healthy']


def test_structured_output_is_named_even_where_the_result_is_silent(session: Session) -> None:
    session.asked().streams("m1", Call("toolu_1", "StructuredOutput"), stop="tool_use")
    session.prints(session.cli.returned("toolu_1", "ok"))
    session.succeeds("", structured_output={"total": 76}, stop_reason="tool_use")
    assert session.run[-1] == 'final "{"total":76}" healthy'


def test_a_lone_result_is_the_whole_turn(session: Session) -> None:
    session.prints(session.cli.result("Total is 76."))
    assert session.run == ['final "Total is 76." healthy']


def test_all_frames_in_one_array_are_the_same_turn(session: Session) -> None:
    cli = session.cli
    session.prints([cli.init(), cli.block("m1", Say("Total.")), cli.result("Total.")])
    assert session.run == ['final "Total." healthy']


@pytest.mark.parametrize("marked", [True, False])
def test_a_command_the_runtime_answers_itself_is_final(session: Session, marked: bool) -> None:
    session.asked().prints(
        session.cli.assistant("synthetic", [{"type": "text", "text": "## Usage"}], {})
        | {"message": {"id": "x", "model": "<synthetic>", "content": []}}
    )
    line = session.cli.result("## Usage\n", num_turns=0)
    del line["terminal_reason"]
    session.prints({**line, "local_command": "context"} if marked else line)
    assert session.run == ['final "## Usage" runtime healthy']


def test_a_silent_command_of_the_runtime_is_final_and_empty(session: Session) -> None:
    session.asked().succeeds("", local_command="compact", num_turns=0)
    assert session.run == ['final "" runtime healthy']


def test_a_silent_command_of_an_older_version_is_final_and_empty(session: Session) -> None:
    line = session.cli.result("", num_turns=0)
    del line["terminal_reason"]
    boundary = {"compact_metadata": {"trigger": "manual"}}
    session.asked().prints(session.cli.system("compact_boundary", boundary), line)
    assert session.run == ['final "" runtime healthy']


def test_a_prompt_that_a_hook_blocked_is_no_answer_and_nothing_of_it_is_shown(
    session: Session,
) -> None:
    told = "blocked. Original prompt: SECRET"
    line = session.cli.result(told, num_turns=0)
    del line["terminal_reason"]
    halted = {"content": told, "prevent_continuation": True}
    session.asked().prints(session.cli.system("informational", halted), line)
    assert session.run == ["failed hook_stopped healthy"]
    assert "SECRET" not in repr(session.events)


def test_a_success_without_any_word_of_model_or_runtime_is_a_missing_answer(
    session: Session,
) -> None:
    line = session.cli.result("from nowhere", num_turns=0)
    del line["terminal_reason"]
    session.asked().prints(line)
    assert session.run == ["failed missing_final degraded"]


def test_an_answer_that_was_over_before_a_hook_stopped_the_turn_stands(session: Session) -> None:
    session.asked().streams("m1", Say("The answer."))
    session.succeeds("The answer.", terminal_reason="stop_hook_prevented")
    assert session.run == ['final "The answer." healthy']


@pytest.mark.parametrize(
    ("reason", "end"),
    [
        ("hook_stopped", "failed hook_stopped healthy"),
        ("stop_hook_prevented", "failed hook_stopped healthy"),
        ("background_requested", "failed incomplete degraded"),
    ],
)
def test_a_success_that_something_stopped_is_none(session: Session, reason: str, end: str) -> None:
    session.asked().says("m1", Say("Half.")).succeeds("", terminal_reason=reason)
    assert session.run[-1] == end


@pytest.mark.parametrize("reason", ["aborted_streaming", "aborted_tools"])
def test_an_interruption_is_a_cancel(session: Session, reason: str) -> None:
    session.asked().says("m1", Say("Running."), Call("toolu_1", "Bash"))
    session.prints(session.cli.error("error_during_execution", terminal_reason=reason))
    assert session.run == ["said Running.", "Bash command cancelled", "cancelled healthy"]


def test_an_older_version_that_fails_after_a_cancel_is_cancelled(session: Session) -> None:
    session.asked().says("m1", Say("Running."), Call("toolu_1", "Bash"))
    session.edge(CancelRequested(via="SIGINT"))
    session.prints(session.cli.error("error_during_execution"))
    assert session.run[-1] == "cancelled healthy"


def test_a_cancelled_stream_without_a_result_is_cancelled(session: Session) -> None:
    session.asked().says("m1", Say("Running."), Call("toolu_1", "Bash"))
    session.edge(CancelRequested(via="SIGTERM")).exits(143)
    assert session.run[-1] == "cancelled healthy"


def test_exit_zero_without_a_result_is_incomplete(session: Session) -> None:
    session.asked().says("m1", Say("Total is 76.")).exits(0)
    assert session.run == ["failed incomplete degraded"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (Words(status=400, error="invalid_request"), "bad_request"),
        (Words(status=400, error="invalid_request", reason="prompt_too_long"), "context_exhausted"),
        (Words(status=403, error="invalid_request"), "auth"),
        (Words(status=401), "auth"),
        (Words(status=404, error="model_not_found"), "not_found"),
        (Words(status=413, error="invalid_request", reason="image_error"), "bad_request"),
        (Words(status=429, error="rate_limit"), "rate_limited"),
        (Words(status=529, error="overloaded"), "provider_unavailable"),
        (Words(status=500, error="server_error"), "provider_unavailable"),
        (Words(error="server_error"), "provider_unavailable"),
        (Words(error="unknown", api_error="connection_failed"), "provider_unavailable"),
        (Words(error="max_output_tokens"), "output_truncated"),
        (Words(error="authentication_failed"), "auth"),
        (Words(subtype="error_max_structured_output_retries"), "tool_protocol"),
        (Words(error="unknown"), None),
        (Words(error="some_future_word"), None),
        (Words(), None),
    ],
)
def test_typed_words_give_the_code(words: Words, code: str | None) -> None:
    assert code_of(words) == code


def test_a_retry_without_a_status_had_no_answer_at_all() -> None:
    assert code_of_retry(Words(error="unknown")) == "provider_unavailable"
    assert code_of_retry(Words(error="rate_limit", status=429)) == "rate_limited"
