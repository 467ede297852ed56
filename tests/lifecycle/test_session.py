"""G1-G4, G6, G8: where a person's message goes, and where a session stands."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnreel.lifecycle.notices import (
    Concluded,
    Ended,
    Fact,
    Lost,
    Opened,
    Resumed,
    Said,
    Stands,
    Stepped,
)
from turnreel.lifecycle.session import Session, advance, journal, state_of
from turnreel.lifecycle.tables import ROUTES

from .talking import Talk, facts


@pytest.fixture
def talk() -> Talk:
    return Talk()


def test_the_first_message_starts(talk: Talk) -> None:
    assert talk.says("m1") == ["start m1"]
    assert talk.state == "working"


def test_an_answer_hands_back_and_the_next_message_resumes(talk: Talk) -> None:
    talk.says("m1")
    talk.runs("r1")
    assert talk.ends("r1", "completed") == []
    assert talk.state == "awaiting_operator"
    assert talk.says("m2") == ["resume m2"]


@pytest.mark.parametrize(
    ("outcome", "state"),
    [
        ("completed", "awaiting_operator"),
        ("blocked", "awaiting_operator"),
        ("failed", "awaiting_operator"),
        ("abandoned", "awaiting_operator"),
        ("interrupted", "stopped"),
    ],
)
def test_how_a_run_ended_says_where_the_session_rests(talk: Talk, outcome: str, state: str) -> None:
    talk.says("m1")
    talk.runs("r1")
    talk.ends("r1", outcome)
    assert talk.state == state


def test_a_message_while_it_works_waits_for_the_next_step(talk: Talk) -> None:
    talk.says("m1")
    talk.runs("r1")
    assert talk.says("m2") == ["queue m2"]
    assert talk.says("m3") == ["queue m3"]
    assert talk.steps("r1") == ["steer m2 m3"]
    assert talk.steps("r1") == []


def test_a_message_that_nobody_stepped_for_is_said_when_the_run_ends(talk: Talk) -> None:
    talk.says("m1")
    talk.runs("r1")
    talk.says("m2")
    assert talk.ends("r1", "completed") == ["resume m2"]
    assert talk.state == "working"


def test_what_waits_goes_before_a_command(talk: Talk) -> None:
    talk.says("m1")
    talk.runs("r1")
    talk.says("m2")
    assert talk.asks("r1", "g1") == ["withdraw g1", "steer m2"]
    assert talk.state == "working"


def test_a_message_sets_every_command_aside_that_waits(talk: Talk) -> None:
    talk.says("m1")
    talk.runs("r1")
    talk.asks("r1", "g1")
    talk.asks("r1", "g2")
    assert talk.state == "awaiting_command"
    assert talk.says("m2") == ["withdraw g1", "withdraw g2", "steer m2"]
    assert talk.state == "working"


def test_a_resume_without_a_message_keeps_the_pending_command(talk: Talk) -> None:
    talk.says("m1")
    talk.runs("r1")
    talk.asks("r1", "g1")
    assert talk.resumes() == []
    assert talk.state == "awaiting_command"
    talk.resolves("r1", "g1", "parked")
    talk.ends("r1", "blocked")
    assert talk.state == "awaiting_operator"
    assert talk.resumes() == ["resume g1"]
    assert talk.state == "awaiting_command"
    talk.runs("r2", continues="r1", request_id="g1")
    assert talk.state == "working"


def test_a_run_of_the_agents_own_leaves_the_parked_command_where_it_was(talk: Talk) -> None:
    parked(talk, "g1")
    talk.runs("r2", caused_by="r1")
    talk.ends("r2", "completed")
    assert talk.resumes() == ["resume g1"]


def test_a_parked_command_that_was_answered_is_not_asked_again(talk: Talk) -> None:
    parked(talk, "g1")
    talk.runs("r2", continues="r1", request_id="g1")
    talk.ends("r2", "completed")
    assert talk.resumes() == ["resume"]


def test_a_message_goes_past_the_parked_command(talk: Talk) -> None:
    parked(talk, "g1")
    assert talk.says("m2") == ["resume m2"]
    talk.runs("r2")
    talk.ends("r2", "completed")
    assert talk.resumes() == ["resume"]


def test_a_resume_lets_a_stopped_session_go_on(talk: Talk) -> None:
    talk.says("m1")
    talk.runs("r1")
    talk.ends("r1", "interrupted")
    assert talk.resumes() == ["resume"]
    assert talk.state == "working"


def test_a_free_session_approves_by_policy_but_asks_questions() -> None:
    talk = Talk(Session(mode="free"))
    talk.says("m1")
    talk.runs("r1")
    assert talk.asks("r1", "g1") == ["approve g1"]
    assert talk.asks("r1", "g2", kind="question") == []
    assert talk.state == "awaiting_command"


def test_a_waiting_message_goes_before_policy() -> None:
    talk = Talk(Session(mode="free"))
    talk.says("m1")
    talk.runs("r1")
    talk.says("m2")
    assert talk.asks("r1", "g1") == ["withdraw g1", "steer m2"]


def test_a_guided_session_hands_back_after_one_action(talk: Talk) -> None:
    talk.says("m1")
    talk.runs("r1")
    assert talk.asks("r1", "g1") == []
    talk.resolves("r1", "g1", "approved")
    assert talk.asks("r1", "g2") == ["park g2"]
    talk.resolves("r1", "g2", "parked")
    talk.ends("r1", "blocked")
    assert talk.state == "awaiting_operator"


@pytest.mark.parametrize(
    ("kind", "next_one"),
    [("approval", ["park g3"]), ("question", [])],
    ids=["approval", "question"],
)
def test_a_parked_command_that_was_answered_is_the_one_action(
    talk: Talk, kind: str, next_one: list[str]
) -> None:
    """How it was answered is not told: in doubt the session is handed back."""
    parked(talk, "g2", kind=kind)
    talk.resumes()
    talk.runs("r2", continues="r1", request_id="g2")
    assert talk.asks("r2", "g3") == next_one


def test_a_declined_command_is_no_action(talk: Talk) -> None:
    talk.says("m1")
    talk.runs("r1")
    talk.asks("r1", "g1")
    talk.resolves("r1", "g1", "declined")
    assert talk.asks("r1", "g2") == []


def test_a_question_that_does_not_block_stops_nobody(talk: Talk) -> None:
    talk.says("m1")
    talk.runs("r1")
    talk.asks("r1", "g1", kind="question", blocking=False)
    assert talk.state == "working"


def test_a_child_has_no_voice_but_its_command_waits(talk: Talk) -> None:
    talk.says("m1")
    talk.runs("r1")
    talk.runs("c1", parent_run_id="r1")
    talk.asks("c1", "g1")
    assert talk.state == "awaiting_command"
    talk.resolves("c1", "g1", "approved")
    assert talk.ends("c1", "failed") == []
    assert talk.state == "working"


def test_a_childs_command_ends_with_the_child(talk: Talk) -> None:
    talk.says("m1")
    talk.runs("r1")
    talk.runs("c1", parent_run_id="r1")
    talk.asks("c1", "g1")
    talk.ends("c1", "failed")
    assert talk.state == "working"


def test_with_another_run_open_what_waits_is_said_to_it(talk: Talk) -> None:
    talk.says("m1")
    talk.runs("r1")
    talk.runs("r2", caused_by="r1")
    talk.says("m2")
    assert talk.ends("r1", "completed") == ["steer m2"]
    assert talk.state == "working"


def test_a_run_that_the_agent_begins_itself_is_work(talk: Talk) -> None:
    talk.says("m1")
    talk.runs("r1")
    talk.ends("r1", "completed")
    talk.runs("r2", caused_by="r1")
    assert talk.state == "working"
    assert talk.says("m2") == ["queue m2"]


@pytest.mark.parametrize(
    ("fact", "state"), [(Concluded(), "concluded"), (Ended(), "ended"), (Lost(), "error")]
)
def test_nothing_leads_out_of_an_end(talk: Talk, fact: Fact, state: str) -> None:
    talk.says("m1")
    talk.runs("r1")
    talk.asks("r1", "g1")
    assert talk.happens(fact) == []
    assert talk.state == state
    for more in (Said(message_id="m2"), Resumed(), Concluded(), Stepped(run_id="r1")):
        assert talk.happens(more) == []
    talk.ends("r1", "completed")
    assert talk.state == state


def test_the_older_word_for_an_end_is_read() -> None:
    assert state_of("given_up") == "ended"
    assert [state_of(state) for state in ROUTES] == [*ROUTES]
    with pytest.raises(ValueError, match="no state of a session: waiting"):
        state_of("waiting")


def test_the_mode_is_said_at_the_beginning_only(talk: Talk) -> None:
    talk.happens(Opened(mode="free"))
    assert talk.session.mode == "free"
    talk.says("m1")
    talk.happens(Opened(mode="guided"))
    assert talk.session.mode == "free"


@given(facts())
def test_told_again_changes_nothing(told: list[Fact]) -> None:
    """R2, R5: events and messages that come a second time."""
    whole = after(told)
    again = [fact for fact in told if isinstance(fact, Said) or hasattr(fact, "seq")]
    assert advance_all(whole, again) == (whole, [])


@given(facts(), st.data())
def test_a_session_can_be_stored_anywhere(told: list[Fact], data: st.DataObject) -> None:
    """V4: what was written and read again goes on as if it had never stopped."""
    place = data.draw(st.integers(0, len(told)))
    stored = msgspec.json.encode(after(told[:place]))
    back = msgspec.json.decode(stored, type=Session)
    assert advance_all(back, told[place:])[0] == after(told)


@given(facts())
def test_no_message_is_lost_or_said_twice(told: list[Fact]) -> None:
    """Each one is said once, waits, or came after the end."""
    said: list[str] = []
    session = Session()
    due: list[str] = []
    for fact in told:
        if isinstance(fact, Said) and fact.message_id not in due and ROUTES[session.state]:
            due.append(fact.message_id)
        session, actions = advance(session, fact)
        for action in actions:
            if action.kind in ("start", "resume", "steer"):
                said += action.messages
    assert [*said, *session.queue] == due


@given(facts())
def test_the_journal_tells_each_move(told: list[Fact]) -> None:
    states = [entry.state for entry in journal(told) if isinstance(entry, Stands)]
    assert ["idle", *states][-1] == after(told).state
    assert all(one != other for one, other in itertools.pairwise(["idle", *states]))


def parked(talk: Talk, gate: str, **fields: str) -> None:
    """A run that ended by asking."""
    talk.says("m1")
    talk.runs("r1")
    talk.asks("r1", gate, **fields)
    talk.resolves("r1", gate, "parked", **fields)
    talk.ends("r1", "blocked")


def after(told: Iterable[Fact]) -> Session:
    return advance_all(Session(), told)[0]


def advance_all(session: Session, told: Iterable[Fact]) -> tuple[Session, list[object]]:
    done: list[object] = []
    for fact in told:
        session, actions = advance(session, fact)
        done += actions
    return session, done
