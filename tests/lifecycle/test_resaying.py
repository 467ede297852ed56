"""Saying again after a retry: one message, one sentence (C7, R1, R8); and what a terminal points to
(C2, T5).
"""

from __future__ import annotations

from collections import Counter

import pytest

from turnreel.lifecycle import ledger
from turnreel.lifecycle.book import Arrived, LedgerState
from turnreel.lifecycle.events import AnyEvent, Commentary, Health
from turnreel.lifecycle.fold import CommentaryEntry, fold
from turnreel.lifecycle.observations import (
    AnyObservation,
    Asked,
    AttemptAbandoned,
    AttemptStarted,
    Awoke,
    Began,
    Ended,
    Named,
    Role,
    Said,
    Saying,
    ToolMoved,
    Troubled,
)

T = "t1"
BEGIN = (Began(turn=T), Awoke(turn=T, thread="th1"), AttemptStarted(turn=T, message="one"))
AGAIN = AttemptStarted(turn=T, message="two")
DONE = Ended(turn=T, ending="completed")


def play(*script: AnyObservation) -> list[AnyEvent]:
    state, counts = LedgerState(session="s", agent="test"), Counter[str]()
    events: list[AnyEvent] = []
    for number, item in enumerate(script):
        state, told = ledger.observe(state, [item], Arrived(number, None, "test"), counts)
        events += told
    return events


def saying(message: str, *pieces: str, role: Role = "commentary") -> list[Saying]:
    return [Saying(turn=T, message=message, block=0, delta=one, role=role) for one in pieces]


def said(message: str, text: str, role: Role = "commentary") -> Said:
    return Said(turn=T, message=message, block=0, text=text, role=role, closes=True)


def gone(message: str, from_block: int = 1) -> AttemptAbandoned:
    return AttemptAbandoned(turn=T, message=message, from_block=from_block)


def told(events: list[AnyEvent]) -> list[tuple[int, int, str, bool]]:
    return [(e.revision, e.offset, e.text, e.done) for e in events if isinstance(e, Commentary)]


def seen(events: list[AnyEvent]) -> list[str]:
    (view,) = fold(events)
    return [entry.text for entry in view.entries if isinstance(entry, CommentaryEntry)]


@pytest.mark.parametrize("again", ["m", "n"])
def test_a_finished_message_streamed_again_is_not_shown_again(again: str) -> None:
    first = (*BEGIN, *saying("m", "Look", "ing."), said("m", "Looking."), gone("m"), AGAIN)
    events = play(*first, *saying(again, "Look", "ing."), said(again, "Looking."))
    assert told(events) == told(play(*first))


def test_the_same_native_message_with_another_text_replaces_it() -> None:
    first = (*BEGIN, said("m", "Looking."), gone("m"), AGAIN)
    events = play(*first, *saying("m", "Look", "ed."), said("m", "Looked."))
    assert seen(events) == ["Looked."]
    assert told(events)[-1] == (2, 0, "Looked.", True)


def test_a_text_that_turns_out_another_one_is_shown_whole() -> None:
    first = (*BEGIN, said("m", "Looking."), gone("m"), AGAIN)
    events = play(*first, *saying("n", "Look", "ing at south."), said("n", "Looking at south."))
    assert told(events)[2:] == [(1, 0, "Looking at south.", False), (1, 17, "", True)]


def test_a_doubled_delta_is_taken_back_when_the_whole_is_known_again() -> None:
    first = (*BEGIN, said("m", "Looking."), gone("m"), AGAIN)
    events = play(*first, *saying("n", "Look", "Look", "ing."), said("n", "Looking."))
    assert seen(events) == ["Looking."]


def test_an_unfinished_message_goes_on_under_a_higher_revision() -> None:
    events = play(
        *BEGIN,
        *saying("m", "Look"),
        gone("m", 0),
        AGAIN,
        *saying("n", "So, look"),
        said("n", "So."),
    )
    assert told(events) == [
        (1, 0, "Look", False),
        (2, 0, "So, look", False),
        (3, 0, "So.", False),
        (3, 3, "", True),
    ]
    assert len({e.message_id for e in events if isinstance(e, Commentary)}) == 1


def test_an_unfinished_message_is_void_once_an_activity_starts() -> None:
    tool = ToolMoved(turn=T, activity="x", state="started")
    assert seen(play(*BEGIN, *saying("m", "Look"), gone("m", 0), AGAIN, tool)) == []


def test_a_marked_answer_is_not_a_cut_commentary_said_again() -> None:
    events = play(
        *BEGIN, *saying("m", "Look"), gone("m", 0), AGAIN, said("n", "Done.", "answer"), DONE
    )
    assert seen(events) == []
    assert events[-1].text == "Done."  # type: ignore[union-attr]


def test_an_answer_said_again_stands_as_if_said_once() -> None:
    """What the retry repeats is no longer of a broken attempt: replaced, it is commentary (C1)."""
    script = (*BEGIN, said("m", "A.", "answer"), gone("m"), AGAIN, said("n", "A.", "answer"))
    assert play(*script, DONE)[-1].text == "A."  # type: ignore[union-attr]
    events = play(*script, said("o", "B.", "answer"), DONE)
    assert seen(events) == ["A."]


def test_an_answer_of_a_broken_attempt_is_void_when_replaced_and_stands_if_not() -> None:
    script = (*BEGIN, said("m", "A.", "answer"), gone("m"), AGAIN)
    assert seen(play(*script, said("n", "B.", "answer"), DONE)) == []
    assert play(*script, DONE)[-1].text == "A."  # type: ignore[union-attr]


def test_an_unmarked_text_said_again_is_one_candidate() -> None:
    script = (*BEGIN, said("m", "A.", "unclear"), gone("m"), AGAIN, said("n", "A.", "unclear"))
    events = play(*script, DONE)
    assert (seen(events), events[-1].text) == ([], "A.")  # type: ignore[union-attr]


def test_a_block_told_twice_replaces_nothing_that_came_after_it() -> None:
    script = (*BEGIN, said("m", "A.", "unclear"), said("n", "B.", "unclear"))
    events = play(*script, said("m", "A.", "unclear"), DONE)
    assert (seen(events), events[-1].text) == (["A."], "B.")  # type: ignore[union-attr]


def test_an_unmarked_text_replaces_no_marked_answer() -> None:
    named = Named(turn=T, text="Later.", extent="whole", message="n")
    events = play(*BEGIN, said("m", "A.", "answer"), said("n", "Later.", "unclear"), named, DONE)
    assert (seen(events), events[-1].text) == ([], "A.")  # type: ignore[union-attr]
    assert events[-1].health == "healthy"  # type: ignore[union-attr]


def test_the_terminal_may_point_to_a_message() -> None:
    named = Named(turn=T, text="A. And more.", extent="whole", message="m")
    events = play(*BEGIN, said("m", "A.", "unclear"), said("n", "x"), named, DONE)
    assert events[-1].text == "A. And more."  # type: ignore[union-attr]
    assert events[-1].health == "degraded"  # type: ignore[union-attr]


def test_the_terminal_may_name_the_question_it_ends_with() -> None:
    ask = Asked(turn=T, request="q", kind="question", prompt="Which?", blocking=False)
    events = play(*BEGIN, ask, Ended(turn=T, ending="asked", request="q"))
    assert events[-1].text == "Which?"  # type: ignore[union-attr]
    assert [e.resolution for e in events if hasattr(e, "resolution")] == ["parked"]


def test_trouble_is_attributed_by_thread_to_its_latest_turn() -> None:
    trouble = Troubled(turn="", code="provider_unavailable", lineage="th1")
    ended = (said("m", "A.", "answer"), DONE)
    second = (Began(turn="t2"), Awoke(turn="t2", thread="th1"))
    events = play(*BEGIN, *ended, *second, trouble)
    (health,) = (e for e in events if isinstance(e, Health))
    assert health.run_id == "s.2"
    assert not any(isinstance(e, Health) for e in play(*BEGIN, *ended, trouble))


def test_trouble_of_a_message_that_nobody_tells_of_is_its_threads() -> None:
    trouble = Troubled(turn="", code="provider_unavailable", message="m", lineage="th1")
    awoke = (Began(turn=T), Awoke(turn=T, thread="th1"))
    for told in ((*awoke, trouble), (trouble, *awoke)):
        events = play(*told, said("item_1", "A.", "answer"), DONE)
        assert [e.state for e in events if isinstance(e, Health)] == ["degraded", "recovered"]
    other = (Began(turn=T), Awoke(turn=T, thread="th2"))
    events = play(*other, trouble, said("item_1", "A.", "answer"), DONE)
    assert not any(isinstance(e, Health) for e in events)


def test_trouble_of_a_repeated_request_waits_for_its_message_and_is_overcome_by_it() -> None:
    trouble = Troubled(turn="", code="provider_unavailable", lineage="m")
    events = play(trouble, *BEGIN, said("m", "A.", "answer"), said("n", "B.", "answer"), DONE)
    assert [e.state for e in events if isinstance(e, Health)] == ["degraded", "recovered"]
