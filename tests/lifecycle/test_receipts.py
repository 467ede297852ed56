"""O5: a receipt settles, once, a run whose transport ended without a terminal, and no other one."""

from __future__ import annotations

import pytest

from turnreel.lifecycle.observations import (
    AttemptAbandoned,
    AttemptStarted,
    Awoke,
    Began,
    CancelAsked,
    Ended,
    Kept,
    Receipted,
    Said,
    Saying,
    Stopped,
    ToolMoved,
)
from turnreel.lifecycle.receipts import digest_of
from turnreel.lifecycle.signals import (
    Closed,
    Exited,
    Orphaned,
    Parked,
    Receipt,
    Reopened,
    Unreconciled,
)
from turnreel.lifecycle.tables import SENTENCE

from .playing import Session

TEXT = "All is well."
CUT = (
    Began(turn="t"),
    Awoke(turn="t"),
    AttemptStarted(turn="t", message="m"),
    Said(turn="t", message="m", block=0, text=TEXT),
    Exited(code=0),
)
KEPT = Receipted(turn="", message="m", outcome="completed", text=TEXT)
GOOD = Receipt(
    run_id="s.1",
    thread_id="s/0",
    native_turn="m",
    outcome="completed",
    text_digest=digest_of(TEXT),
)


def test_a_receipt_completes_a_run_whose_stream_was_cut() -> None:
    session = Session()
    session.sees(*CUT, GOOD, Unreconciled())
    assert session.terminals == [("s.1", "final", TEXT, "degraded")]
    assert session.counts == {}


def test_what_the_agent_kept_of_the_message_does_the_same() -> None:
    session = Session()
    session.sees(*CUT, KEPT, Unreconciled())
    assert session.terminals == [("s.1", "final", TEXT, "degraded")]


def test_a_receipt_reconciles_once() -> None:
    session = Session()
    session.sees(*CUT, GOOD)
    assert session.sees(GOOD, KEPT) == []
    assert session.counts == {"late receipt": 1, "late receipted": 1}


def test_the_final_is_the_message_that_the_receipt_names() -> None:
    session = Session()
    cut = (*CUT[:3], Saying(turn="t", message="m", block=0, delta="All is"), Exited(code=0))
    said = session.sees(*cut, KEPT)
    assert session.terminals == [("s.1", "final", TEXT, "degraded")]
    assert said[-1].id == "s.1:3"


def test_kept_segments_stand_before_the_text_of_the_receipt() -> None:
    session = Session()
    session.sees(
        *CUT[:4],
        Stopped(turn="t", message="m", reason="limited"),
        Kept(turn="t", message="m"),
        AttemptStarted(turn="t", message="n"),
        Saying(turn="t", message="n", block=0, delta=" And"),
        Closed(),
        Receipted(turn="", message="n", outcome="completed", text=" And done."),
    )
    assert session.terminals == [("s.1", "final", f"{TEXT} And done.", "degraded")]


FOREIGN = {
    "another run": {"run_id": "s.9"},
    "another session's run": {"run_id": "r.1"},
    "another thread": {"thread_id": "s/9"},
    "another native turn": {"native_turn": "elsewhere"},
    "another text": {"text_digest": digest_of("All is lost.")},
    "no digest": {"text_digest": ""},
    "a digest that is not its text's": {"text": "All is lost."},
}


@pytest.mark.parametrize("changes", FOREIGN.values(), ids=FOREIGN)
def test_a_foreign_or_malformed_receipt_is_ignored_and_counted(changes: dict[str, str]) -> None:
    fields = {name: getattr(GOOD, name) for name in GOOD.__struct_fields__} | changes
    session = Session()
    session.sees(*CUT)
    assert session.sees(Receipt(**fields)) == []
    assert session.counts.total() == 1
    session.sees(Unreconciled())
    assert session.terminals == [("s.1", "failed", SENTENCE["incomplete"], "degraded")]


def test_a_receipt_at_odds_with_what_was_shown_is_ignored() -> None:
    session = Session()
    session.sees(*CUT)
    assert session.sees(Receipted(turn="", message="m", outcome="completed", text="No.")) == []
    assert session.counts == {"receipt at odds": 1}


def test_a_receipt_for_a_message_that_others_came_after_is_stale() -> None:
    session = Session()
    session.sees(*CUT[:4], AttemptStarted(turn="t", message="n"), Closed())
    assert session.sees(KEPT, GOOD) == []
    assert session.counts == {"stale receipt": 2}


def test_a_receipt_for_a_message_that_was_given_up_is_stale() -> None:
    session = Session()
    session.sees(*CUT[:4], AttemptAbandoned(turn="t", message="m"), Closed())
    assert session.sees(KEPT) == []
    assert session.counts == {"stale receipt": 1}


@pytest.mark.parametrize("early", [CUT[:4], (*CUT, Reopened())], ids=["before", "reopened"])
def test_a_run_whose_stream_stands_is_settled_by_no_receipt(early: tuple[object, ...]) -> None:
    session = Session()
    session.sees(*early)  # type: ignore[arg-type]
    assert session.sees(KEPT) == []
    assert session.counts == {"receipt while open": 1}
    session.sees(Ended(turn="t", ending="failed", code="auth"))
    assert session.terminals[0][:2] == ("s.1", "failed")


def test_a_receipt_never_overturns_a_terminal() -> None:
    session = Session()
    session.sees(*CUT, Unreconciled())
    assert session.sees(GOOD, KEPT) == []
    assert session.terminals == [("s.1", "failed", SENTENCE["incomplete"], "degraded")]


def test_what_was_kept_of_a_message_nobody_asked_for_is_foreign() -> None:
    session = Session()
    session.sees(*CUT)
    assert session.sees(Receipted(turn="", message="x", outcome="completed", text=TEXT)) == []
    assert session.counts == {"foreign receipt": 1}


OUTCOMES = {
    "failed": ("failed", "rate_limited", ("failed", SENTENCE["rate_limited"])),
    "failed without a cause": ("failed", None, ("failed", SENTENCE["unknown"])),
    "interrupted by nobody": ("interrupted", None, ("failed", SENTENCE["incomplete"])),
    "abandoned": ("abandoned", None, ("failed", SENTENCE["abandoned"])),
    "blocked": ("blocked", None, ("needs_input", "The agent waits.")),
    "completed without a text": ("completed", None, ("failed", SENTENCE["missing_final"])),
}


@pytest.mark.parametrize(("outcome", "code", "expected"), OUTCOMES.values(), ids=OUTCOMES)
def test_a_receipt_of_the_native_turn_ends_it_as_it_says(
    outcome: str, code: str | None, expected: tuple[str, str]
) -> None:
    session = Session()
    session.sees(*CUT[:2], Closed())
    session.sees(Receipted(turn="t", outcome=outcome, code=code, text=""))  # type: ignore[arg-type]
    assert session.terminals[0][1:3] == expected


def test_after_a_cancel_request_a_receipt_without_success_cancels() -> None:
    session = Session()
    session.sees(*CUT[:2], CancelAsked(turn="t"), Closed())
    session.sees(Receipted(turn="t", outcome="interrupted"))
    assert session.terminals[0][1] == "cancelled"


def test_a_receipt_of_the_native_turn_carries_its_text() -> None:
    session = Session()
    tool = ToolMoved(turn="t", activity="x", state="started", kind="command", name="Bash")
    session.sees(*CUT[:4], tool, Closed())
    session.sees(Receipted(turn="t", outcome="completed", text="Done."))
    assert session.terminals == [("s.1", "final", "Done.", "degraded")]


def test_a_run_whose_owner_is_gone_is_abandoned_unless_a_receipt_completes_it() -> None:
    gone, kept = Session(), Session()
    gone.sees(*CUT, Orphaned())
    kept.sees(*CUT, KEPT, Orphaned())
    assert gone.terminals == [("s.1", "failed", SENTENCE["abandoned"], "degraded")]
    assert [e.outcome for e in gone.events if e.terminal] == ["abandoned"]  # type: ignore[union-attr]
    assert kept.terminals == [("s.1", "final", TEXT, "degraded")]


def test_shutting_down_never_overwrites_what_is_completed() -> None:
    session = Session()
    session.sees(*CUT[:4], Ended(turn="t", ending="completed"))
    assert session.sees(Closed(), Unreconciled(), Orphaned(), Parked()) == []
    assert session.terminals == [("s.1", "final", TEXT, "healthy")]
