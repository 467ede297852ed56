"""What was said: which text is the answer, which is commentary, which is void (C1-C6, R8, O2)."""

from __future__ import annotations

from typing import Any

from turnreel.adapters.anthropic_messages import builders as provider
from turnreel.adapters.claude_stream_json.literals import CUT_ANSWER, EMPTY_ANSWER
from turnreel.adapters.steps import Call, Say, Think

Session = Any

RECOVERED = ["degraded provider_unavailable", "recovered provider_unavailable"]


def read(session: Session, tool: str = "toolu_1") -> None:
    session.prints(session.cli.returned(tool, "1,2"))


def test_text_beside_a_tool_is_commentary_and_only_the_last_message_answers(
    session: Session,
) -> None:
    session.asked().streams("m1", Say("Reading."), Call("toolu_1", "Read"), stop="tool_use")
    read(session)
    session.streams("m2", Say("Total is 76.")).succeeds("Total is 76.")
    assert session.run == ["said Reading.", "Read file_read ok", 'final "Total is 76." healthy']


def test_partial_messages_and_completed_blocks_are_one_text(session: Session) -> None:
    session.asked()
    session.prints(session.cli.event("m1", provider.message_start("m1")))
    for piece in provider.block_deltas(0, Say("Hello there, all.")):
        session.prints(session.cli.event("m1", piece))
    session.says("m1", Say("Hello there, all.")).succeeds("Hello there, all.")
    assert session.run == ['final "Hello there, all." healthy']


def test_several_blocks_of_the_last_message_are_joined_without_a_separator(
    session: Session,
) -> None:
    session.asked().streams("m1", Say("Para one."), Think("hm"), Say("Para two."))
    session.succeeds("Para two.")
    assert session.run == ['final "Para one.Para two." healthy']


def test_hidden_blocks_appear_nowhere(session: Session) -> None:
    session.asked().streams("m1", Think("SECRET"), Say("Hi")).succeeds("Hi")
    assert session.run == ['final "Hi" healthy']
    assert "SECRET" not in repr(session.events) + repr(session.translator.state)


def test_two_texts_around_a_tool_in_one_message_are_two_pieces(session: Session) -> None:
    session.asked().streams(
        "m1", Say("Before."), Call("toolu_1", "Read"), Say("After."), stop="tool_use"
    )
    read(session)
    session.streams("m2", Say("Final.")).succeeds("Final.")
    assert session.run == [
        "said Before.",
        "Read file_read ok",
        "said After.",
        'final "Final." healthy',
    ]


def test_an_answer_that_a_stop_hook_sends_back_is_commentary(session: Session) -> None:
    session.asked().streams("m1", Say("First."))
    session.prints(session.cli.told("Stop hook feedback: go on"))
    session.streams("m2", Say("Second.")).succeeds("Second.")
    assert session.run == ["said First.", 'final "Second." healthy']


def test_an_abandoned_attempt_leaves_nothing(session: Session) -> None:
    session.asked().prints(
        session.cli.event("m1", provider.message_start("m1")),
        session.cli.stop_abandoned("m1", 0),
        session.cli.retry(1, None),
    )
    session.streams("m2", Say("After retry.")).succeeds("After retry.")
    assert session.run == [*RECOVERED, 'final "After retry." recovered']


def test_a_kept_part_and_its_continuation_are_one_answer(session: Session) -> None:
    session.asked().prints(session.cli.event("m1", provider.message_start("m1")))
    session.says("m1", Say("The subtotal.")).prints(
        session.cli.stop_abandoned("m1", 1), session.cli.told(CUT_ANSWER.head)
    )
    session.streams("m2", Say("The rest.")).succeeds("The rest.")
    assert session.run == [*RECOVERED, 'final "The subtotal.The rest." recovered']


def test_an_answer_cut_by_a_limit_and_continued_is_one_answer_and_no_trouble(
    session: Session,
) -> None:
    session.asked().streams("m1", Say("Some text."), stop="max_tokens")
    session.prints(session.cli.told("Output token limit hit."))
    session.streams("m2", Say("More.")).succeeds("More.")
    assert session.run == ['final "Some text.More." healthy']


def test_refused_text_is_void(session: Session) -> None:
    session.asked().streams("m1", Say("Partial "), stop="refusal")
    session.prints(session.cli.told("no", refusal_retry=True, refused_message_id="m1"))
    session.streams("m2", Say("Cont.")).succeeds("Cont.")
    assert session.run == ['final "Cont." healthy']


def test_a_refusal_without_a_way_on_is_refused_and_no_trouble(session: Session) -> None:
    session.asked().streams("m1", stop="refusal").prints(
        session.cli.system("model_refusal_no_fallback", {}),
        session.cli.failure("invalid_request", None),
        session.cli.error("success", terminal_reason="api_error"),
    )
    assert session.run == ["failed refused healthy"]


def test_an_empty_answer_asked_again_is_trouble_overcome(session: Session) -> None:
    session.asked().streams("m1", Think("hm")).prints(session.cli.told("again"))
    session.streams("m2", Say("second try")).succeeds("second try")
    assert session.run == [
        "degraded unknown",
        "recovered unknown",
        'final "second try" recovered',
    ]


def test_without_partial_messages_a_proven_literal_says_that_the_answer_was_empty(
    session: Session,
) -> None:
    session.asked().says("m1", Say("Interim."), Call("toolu_1", "Read"))
    read(session)
    session.prints(session.cli.told(EMPTY_ANSWER.head + " Please"))
    session.says("m3", Say("Here.")).succeeds("Here.")
    assert session.run[-1] == 'final "Here." recovered'


def test_a_skill_that_speaks_to_the_model_after_its_tool_is_no_trouble(session: Session) -> None:
    session.asked().streams("m1", Call("toolu_1", "Skill"), stop="tool_use")
    read(session)
    session.prints(session.cli.told("Base directory for this skill"))
    session.streams("m2", Say("Done.")).succeeds("Done.")
    assert session.run == ["Skill other ok", 'final "Done." healthy']


def test_an_error_frame_in_the_middle_is_neither_text_nor_terminal(session: Session) -> None:
    session.asked().says("m1", Say("Partial."), Call("toolu_1", "Read"))
    read(session)
    session.prints(session.cli.failure("server_error", None))
    session.says("m2", Say("After.")).succeeds("After.")
    assert session.run == [
        "said Partial.",
        "Read file_read ok",
        *RECOVERED,
        'final "After." recovered',
    ]


def test_an_older_cut_has_no_mark_and_is_seen_by_the_next_message(session: Session) -> None:
    session.asked().prints(session.cli.event("m1", provider.message_start("m1")))
    session.says("m1", Say("Half."))
    session.streams("m2", Say("Whole.")).succeeds("Whole.")
    assert session.run[-1] == 'final "Whole." recovered'
    assert session.run[0] == "degraded provider_unavailable"


def test_the_same_message_id_again_is_a_new_attempt(session: Session) -> None:
    session.asked().prints(
        session.cli.event("same", provider.message_start("same")),
        session.cli.stop_abandoned("same", 0),
        session.cli.retry(1, None),
    )
    session.streams("same", Say("Whole text.")).succeeds("Whole text.")
    assert session.run[-1] == 'final "Whole text." recovered'


def test_late_events_of_a_message_that_is_over_change_nothing(session: Session) -> None:
    session.asked().streams("m1", Say("One."), Call("toolu_1", "Read"), stop="tool_use")
    session.prints(session.cli.event("m2", provider.message_start("m2")))
    session.prints(session.cli.stop_abandoned("m1", 0))
    session.prints(session.cli.event("m1", provider.message_delta("max_tokens")))
    read(session)
    session.says("m2", Say("Two.")).succeeds("Two.")
    assert session.run == ["said One.", "Read file_read ok", 'final "Two." healthy']


def test_a_message_aborted_by_the_host_says_nothing_and_is_no_trouble(session: Session) -> None:
    session.asked().prints(
        session.cli.event("m1", provider.message_start("m1")),
        session.cli.aborted("m1", Say("tok0 tok1")),
        session.cli.event("m1", provider.message_delta(None)),
        session.cli.stop_abandoned("m1", 1),
        session.cli.error("error_during_execution", terminal_reason="aborted_streaming"),
    )
    assert session.run == ["cancelled healthy"]


def test_another_model_that_goes_on_degrades_to_the_end(session: Session) -> None:
    session.asked().prints(
        session.cli.retry(1, 529),
        session.cli.system("model_fallback", {"trigger": "overloaded"}),
    )
    session.streams("m1", Say("From the other.")).succeeds("From the other.")
    assert session.run[-1] == 'final "From the other." degraded'


def test_messages_that_a_fallback_takes_back_are_retracted(session: Session) -> None:
    session.asked().streams("m1", Say("Draft."), Call("toolu_1", "Read"), stop="tool_use")
    draft = session.cli.block("m0", Say("Taken back."))
    session.prints(draft, session.cli.block("m0", Call("toolu_2", "Read")))
    assert session.run[:3] == ["said Draft.", "Read file_read started", "said Taken back."]
    session.prints(
        session.cli.system("model_refusal_fallback", {"retracted_message_uuids": [draft["uuid"]]})
    )
    assert "said Taken back." not in session.run


def test_a_pause_is_no_answer(session: Session) -> None:
    session.asked().streams("m1", Say("Still searching."), stop="pause_turn")
    session.succeeds("Still searching.", stop_reason="pause_turn")
    assert session.run[-1] == "failed missing_final degraded"


def test_without_partial_messages_the_result_says_that_the_turn_paused(session: Session) -> None:
    session.asked().says("m1", Say("Still searching."))
    session.succeeds("Still searching.", stop_reason="pause_turn")
    assert session.run[-1] == "failed missing_final degraded"


def test_an_unknown_stop_reason_neither_makes_nor_breaks_an_answer(session: Session) -> None:
    session.asked().streams("m1", Say("Text."), stop="some_future_reason").succeeds("Text.")
    assert session.run == ['final "Text." healthy']
