"""Texts of the app-server: phases, live commentary, retries, what a terminal points to."""

from __future__ import annotations

from typing import Any

import pytest

from turnreel.adapters.codex_app_server import builders, commands

Session = Any


def test_commentary_is_shown_while_it_is_said(session: Session) -> None:
    session.asked().says("m1", "Let me look.", "commentary", "Let ", "me ", "look.")
    assert session.commentary == [
        ("m1", 1, 0, "Let", False),
        ("m1", 1, 3, " me", False),
        ("m1", 1, 6, " look.", False),
        ("m1", 1, 12, "", True),
    ]


def test_deltas_do_not_suppress_the_selected_final(session: Session) -> None:
    """A founding defect: any streamed delta kept the final from being told."""
    session.asked().says("m1", "Looking.", "commentary")
    session.says("m2", "Total is 76.", "final_answer", "Total ", "is 76.")
    session.completes("m2", "Total is 76.")
    session.shows("""
        run
          commentary 'Looking.'
          final 'Total is 76.' healthy
    """)


def test_the_first_commentary_is_never_promoted_to_final(session: Session) -> None:
    """A founding defect: without a final the first commentary was taken for one."""
    session.asked().says("m1", "Still working on it.", "commentary").completes()
    session.shows("""
        run
          commentary 'Still working on it.'
          failed missing_final degraded
    """)


def test_an_answer_of_a_broken_attempt_is_void_when_it_is_replaced(session: Session) -> None:
    session.asked().says("m1", "Total is 70.", "final_answer").breaks()
    session.says("m2", "Total is 76.", "final_answer").completes("m2", "Total is 76.")
    session.shows("""
        run
          health degraded provider_unavailable
          health recovered provider_unavailable
          final 'Total is 76.' recovered
    """)


def test_an_answer_of_a_broken_attempt_stands_if_the_retry_adds_nothing(session: Session) -> None:
    """It was complete and the runtime kept it; the terminal names it (C2)."""
    session.asked().says("m1", "Total is 76.", "final_answer").breaks()
    session.completes("m1", "Total is 76.")
    session.shows("""
        run
          health degraded provider_unavailable
          health recovered provider_unavailable
          final 'Total is 76.' recovered
    """)


def test_an_answer_replaced_in_an_unbroken_attempt_is_commentary(session: Session) -> None:
    session.asked().says("m1", "Answer A.", "final_answer")
    session.says("m2", "Answer B.", "final_answer").completes("m2", "Answer B.")
    session.shows("""
        run
          commentary 'Answer A.'
          final 'Answer B.' healthy
    """)


def test_a_complete_response_is_not_given_up_by_a_later_break(session: Session) -> None:
    session.asked().says("m1", "Answer A.", "final_answer").prints(session.server.usage())
    session.breaks().says("m2", "Answer B.", "final_answer").completes("m2", "Answer B.")
    assert "commentary 'Answer A.'" in session.turns


@pytest.mark.parametrize("again", ["m1", "m9"])
def test_a_finished_sentence_said_again_is_seen_once(session: Session, again: str) -> None:
    session.asked().says("m1", "Looking.", "commentary", "Look", "ing.").breaks()
    before = session.commentary
    session.says(again, "Looking.", "commentary", "Look", "ing.")
    assert session.commentary == before
    session.says("m2", "Done.", "final_answer").completes("m2", "Done.")
    assert session.turns.count("Looking.") == 1


@pytest.mark.parametrize("again", ["m1", "m9"])
def test_an_unfinished_sentence_said_again_is_the_same_message(
    session: Session, again: str
) -> None:
    session.asked().opens("m1", "commentary", "Look").breaks()
    session.says(again, "Looking again.", "commentary", "Looking ", "again.")
    assert session.commentary == [
        ("m1", 1, 0, "Look", False),
        ("m1", 2, 0, "Looking", False),
        ("m1", 2, 7, " again.", False),
        ("m1", 2, 14, "", True),
    ]


def test_another_sentence_of_the_retry_is_shown_once_it_differs(session: Session) -> None:
    session.asked().says("m1", "Looking.", "commentary").breaks()
    session.opens("m2", "commentary", "Look", "ing at south.")
    assert session.commentary[-1] == ("m2", 1, 0, "Looking at south.", False)


def test_the_answer_of_the_retry_does_not_continue_a_cut_commentary(session: Session) -> None:
    session.asked().opens("m1", "commentary", "Look").breaks()
    session.says("m2", "Looked.", "final_answer").completes("m2", "Looked.")
    session.shows("""
        run
          health degraded provider_unavailable
          health recovered provider_unavailable
          final 'Looked.' recovered
    """)


def test_a_cut_commentary_is_taken_back_when_the_retry_acts(session: Session) -> None:
    session.asked().opens("m1", "commentary", "Look").breaks().runs_tool("c1")
    assert "Look" not in session.turns


def test_a_text_never_ended_by_a_silent_retry_is_continued(session: Session) -> None:
    """The first reconnect of a WebSocket shows in no frame."""
    session.asked().opens("m1", "commentary", "Check").says("m2", "Checking.", "commentary")
    session.says("m3", "Done.", "final_answer").completes("m3", "Done.")
    session.shows("""
        run
          commentary 'Checking.'
          final 'Done.' healthy
    """)


def test_what_a_steer_cut_short_is_taken_back(session: Session) -> None:
    session.asked().opens("m1", "commentary", "Check")
    session.hears(commands.steer(7, session.server.thread, session.server.turn, "South only."))
    session.prints({"id": 7, "result": {"turnId": session.server.turn}})
    session.says("m2", "South then.", "commentary")
    session.says("m3", "Done.", "final_answer").completes("m3", "Done.")
    session.shows("""
        run
          commentary 'South then.'
          final 'Done.' healthy
    """)


@pytest.mark.parametrize(
    ("phase", "text"), [(None, "Plain."), ("brand_new_phase", "Plain."), ("final_answer", "Plain.")]
)
def test_a_text_that_is_last_is_final(session: Session, phase: str | None, text: str) -> None:
    session.asked().says("m1", text, phase).completes("m1", text, phase=phase)
    session.shows("""
        run
          final 'Plain.' healthy
    """)


def test_commentary_after_an_unmarked_text_does_not_demote_it(session: Session) -> None:
    session.asked().says("m1", "Null text.", None).says("m2", "Commentary last.", "commentary")
    session.completes("m1", "Null text.", phase=None)
    session.shows("""
        run
          commentary 'Commentary last.'
          final 'Null text.' healthy
    """)


def test_an_explicit_mark_beats_what_the_terminal_names(session: Session) -> None:
    session.asked().says("m1", "The final.", "final_answer").says("m2", "Null last.", None)
    session.completes("m2", "Null last.", phase=None)
    session.shows("""
        run
          final 'The final.' healthy
    """)
    assert session.noted["named message at odds with the answer"] == 1


def test_a_partial_answer_is_commentary_beside_a_final_and_nothing_without(
    session: Session,
) -> None:
    session.asked().says("m1", "Part one.", "partial_answer")
    session.says("m2", "Answer.", "final_answer").completes("m2", "Answer.")
    session.asked().says("m3", "Part two.", "partial_answer").completes()
    session.shows("""
        run
          commentary 'Part one.'
          final 'Answer.' healthy
        run
          failed missing_final degraded
    """)


def test_an_empty_final_is_none(session: Session) -> None:
    session.asked().says("m1", "", "final_answer").completes()
    session.shows("""
        run
          failed missing_final degraded
    """)


def test_an_answer_followed_by_an_activity_is_commentary(session: Session) -> None:
    session.asked().says("m1", "It is 70.", "final_answer").runs_tool("c1")
    session.completes("m1", "It is 70.")
    session.shows("""
        run
          commentary 'It is 70.'
          activity commandExecution command ok
          failed missing_final degraded
    """)


def test_a_notice_beside_the_turn_is_commentary_in_spite_of_its_phase(session: Session) -> None:
    notice = builders.message("m1", "North is done.", "final_answer", delivery="async")
    session.asked().prints(session.server.started(notice), session.server.completed(notice))
    session.says("m2", "Done.", "final_answer").completes("m2", "Done.")
    session.shows("""
        run
          commentary 'North is done.'
          final 'Done.' healthy
    """)


def asking() -> dict[str, Any]:
    questions: list[Any] = [{"title": "Which file?", "options": ["north", "south"]}]
    return builders.message(
        "q1", "Which file?\n- north", "final_answer", delivery="async", questions=questions
    )


def test_a_question_beside_the_turn_is_a_gate_that_does_not_block(session: Session) -> None:
    session.asked()
    session.prints(session.server.started(asking()), session.server.completed(asking()))
    session.says("m2", "Done.", "final_answer").completes("m2", "Done.")
    session.shows("""
        run
          gate question withdrawn
          final 'Done.' healthy
    """)


def test_a_turn_that_ends_with_its_question_needs_input(session: Session) -> None:
    session.asked()
    session.prints(session.server.started(asking()), session.server.completed(asking()))
    session.prints(session.server.ended("completed", asking()))
    session.shows("""
        run
          gate question parked
          needs_input 'Which file?' healthy
    """)


def test_reasoning_leaves_nothing_but_ends_trouble(session: Session) -> None:
    session.asked().breaks()
    hidden = builders.reasoning("rs_1", "secret thoughts")
    session.prints(session.server.started(hidden), session.server.completed(hidden))
    session.says("m2", "Done.", "final_answer").completes("m2", "Done.")
    assert "secret" not in str(session.events)
    assert session.turns.count("recovered") == 2


def test_another_transport_lasts_to_the_end(session: Session) -> None:
    session.asked().prints(
        session.server.warning("Falling back from WebSockets to HTTPS transport. x")
    )
    session.says("m1", "Done.", "final_answer").completes("m1", "Done.")
    session.shows("""
        run
          health degraded provider_unavailable
          final 'Done.' degraded
    """)


def test_deltas_of_an_unknown_item_are_read_when_it_is_complete(session: Session) -> None:
    """A host that joins late sees the end of a text only; its completion has all of it."""
    session.asked().prints(session.server.delta("m1", "half of "))
    session.prints(session.server.completed(builders.message("m1", "All of it.", "final_answer")))
    session.completes("m1", "All of it.")
    assert "final 'All of it.' healthy" in session.turns
