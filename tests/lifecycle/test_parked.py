"""T5: the answer to a parked gate opens a run that continues the one that asked; a host's marker
makes a final ask; a host may take an empty final for one (C5).
"""

from __future__ import annotations

from turnreel.lifecycle.observations import Asked, Awoke, Began, Ended, Resolved, Said, ToolMoved
from turnreel.lifecycle.signals import Answered, CancelRequested, Exited, Parked, Unreconciled
from turnreel.lifecycle.terms import Terms

from .playing import Session

ASKS = (
    Began(turn="t"),
    Awoke(turn="t"),
    ToolMoved(turn="t", activity="x", state="started", kind="command", name="Bash"),
    Asked(turn="t", request="q", kind="approval", prompt="Run git?", activity="x"),
)
YES = Answered(request="q", resolution="approved")


def parked() -> Session:
    session = Session()
    session.sees(*ASKS, Parked())
    assert session.terminals == [("s.1", "needs_input", "Run git?", "healthy")]
    return session


def test_the_answer_to_a_parked_gate_opens_a_run_that_continues() -> None:
    session = parked()
    session.sees(YES, Said(turn="t", message="m", block=0, text="Pushed."))
    session.sees(Ended(turn="t", ending="completed"))
    first, second = session.starts
    assert (second.continues, second.request_id) == ("s.1", "s.1/g2")
    assert (second.thread_id, second.dialect) == (first.thread_id, first.dialect)
    assert session.terminals[1] == ("s.2", "final", "Pushed.", "healthy")


def test_an_answer_on_the_agents_own_input_does_the_same() -> None:
    session = parked()
    session.sees(Resolved(turn="t", request="q", resolution="declined"))
    session.sees(Said(turn="t", message="m", block=0, text="Not pushed."))
    session.sees(Ended(turn="t", ending="completed"))
    assert [start.continues for start in session.starts] == [None, "s.1"]
    assert session.terminals[1][:3] == ("s.2", "final", "Not pushed.")


def test_a_new_process_takes_the_answer_as_a_turn_of_its_own() -> None:
    session = parked()
    session.sees(Exited(code=0), Unreconciled(), YES)
    session.sees(Began(turn="u"), Awoke(turn="u"))
    session.sees(Said(turn="u", message="m", block=0, text="Pushed."))
    session.sees(Ended(turn="u", ending="completed"))
    assert [start.continues for start in session.starts] == [None, "s.1"]
    assert session.terminals[1] == ("s.2", "final", "Pushed.", "healthy")


def test_a_gate_parked_after_a_cancel_request_is_withdrawn() -> None:
    session = Session()
    session.sees(*ASKS, CancelRequested(), Parked(), YES)
    assert [(one[0], one[1]) for one in session.terminals] == [("s.1", "cancelled")]
    assert len(session.starts) == 1


def test_an_answer_counts_once() -> None:
    session = parked()
    session.sees(YES)
    assert session.sees(YES, Resolved(turn="t", request="q", resolution="approved")) == []
    assert len(session.starts) == 2


def test_a_gate_that_is_withdrawn_after_it_was_parked_opens_nothing() -> None:
    session = parked()
    assert session.sees(Resolved(turn="t", request="q", resolution="withdrawn")) == []
    assert session.sees(Answered(request="other", resolution="approved")) == []
    assert len(session.starts) == 1


def test_an_agent_that_dies_with_the_answer_leaves_its_run_incomplete() -> None:
    session = parked()
    session.sees(YES, Exited(code=0), Unreconciled())
    codes = [e.code for e in session.events if e.terminal]  # type: ignore[union-attr]
    assert codes == [None, "incomplete"]


def test_work_that_reports_back_takes_no_answer() -> None:
    session = parked()
    session.sees(YES, Began(turn="b", caused_by="t"))
    assert [start.continues for start in session.starts] == [None, "s.1", None]


def answer(session: Session, text: str) -> None:
    session.sees(
        Began(turn="t"),
        Awoke(turn="t"),
        Said(turn="t", message="m", block=0, text=text),
        Ended(turn="t", ending="completed"),
    )


def test_a_final_that_begins_with_the_hosts_marker_asks() -> None:
    session = Session(Terms(marker="[ASK]"))
    answer(session, "\n[ASK] Which format?")
    assert session.terminals == [("s.1", "needs_input", "Which format?", "healthy")]
    (terminal,) = [e for e in session.events if e.terminal]
    assert terminal.confidence == "marker"  # type: ignore[union-attr]
    assert terminal.outcome == "blocked"  # type: ignore[union-attr]


def test_a_marker_elsewhere_or_alone() -> None:
    within, alone = Session(Terms(marker="[ASK]")), Session(Terms(marker="[ASK]"))
    answer(within, "Done. [ASK] Which?")
    answer(alone, "[ASK]")
    assert within.terminals == [("s.1", "final", "Done. [ASK] Which?", "healthy")]
    assert alone.terminals == [("s.1", "needs_input", "The agent waits.", "healthy")]


def test_an_empty_final_is_one_where_the_host_says_so() -> None:
    strict, lenient = Session(), Session(Terms(empty_finals=True))
    answer(strict, "")
    answer(lenient, "")
    assert [t[1:3] for t in lenient.terminals] == [("final", "")]
    assert strict.terminals[0][1] == "failed"
