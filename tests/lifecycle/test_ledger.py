"""Runs of a session: opened, found again, and in the end forgotten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from turnreel.lifecycle import ledger
from turnreel.lifecycle.book import LINEAGE_LIMIT, PAST_LIMIT, Arrived, LedgerState
from turnreel.lifecycle.events import AnyEvent, RunStarted
from turnreel.lifecycle.observations import (
    AnyObservation,
    Asked,
    AttemptStarted,
    Began,
    Ended,
    Resolved,
    Said,
    ToolMoved,
)
from turnreel.lifecycle.signals import AnySignal, Exited


class Session:
    """A ledger that is played to."""

    def __init__(self) -> None:
        self.state = LedgerState(session="s", agent="test")
        self.counts: Counter[str] = Counter()

    def sees(self, *items: AnyObservation | AnySignal) -> list[AnyEvent]:
        events: list[AnyEvent] = []
        for item in items:
            arrived = Arrived(0, None, "test")
            if isinstance(item, AnyObservation):
                self.state, told = ledger.observe(self.state, [item], arrived, self.counts)
            else:
                self.state, told = ledger.signal(self.state, item, arrived, self.counts)
            events += told
        return events


def test_an_exit_degrades_the_youngest_run_of_the_main_thread_alone() -> None:
    session = Session()
    session.sees(Began(turn="a"), Said(turn="a", message="m", block=0, text="A."))
    session.sees(Began(turn="c", parent="a"), Ended(turn="c", ending="interrupted"))
    session.sees(Ended(turn="a", ending="completed"), Began(turn="b"))
    session.sees(Said(turn="b", message="n", block=0, text="B."))
    session.sees(Ended(turn="b", ending="completed"))
    told = session.sees(Exited(code=1))
    assert [(event.run_id, type(event).__name__) for event in told] == [("s.3", "Health")]
    assert session.sees(Exited(code=1)) == []


def turns(numbers: Iterable[int]) -> list[AnyObservation]:
    """Runs that begin and end."""
    return [
        one
        for number in numbers
        for one in (Began(turn=f"t{number}"), Ended(turn=f"t{number}", ending="interrupted"))
    ]


def test_a_session_of_many_runs_remembers_the_last_ones() -> None:
    session = Session()
    session.sees(*turns(range(PAST_LIMIT + 10)))
    assert (session.state.runs, len(session.state.past)) == ((), PAST_LIMIT)
    known, forgotten = f"t{PAST_LIMIT}", "t0"
    late = session.sees(*(Ended(turn=turn, ending="completed") for turn in (known, forgotten)))
    assert late == []
    assert session.counts == {"late ended": 1, "no such turn": 1}
    started = session.sees(
        Began(turn="x", caused_by=known), Began(turn="y", caused_by=forgotten), Began(turn=known)
    )
    assert [
        (event.run_id, event.caused_by) for event in started if isinstance(event, RunStarted)
    ] == [(f"s.{PAST_LIMIT + 11}", f"s.{PAST_LIMIT + 1}"), (f"s.{PAST_LIMIT + 12}", None)]
    assert session.counts["turn began again"] == 1


def test_a_long_run_looks_through_what_is_open_alone() -> None:
    """Ten thousand of anything settled is never walked through again."""
    session = Session()
    session.sees(Began(turn="t"))
    for number in range(500):
        message, tool, gate = f"m{number}", f"x{number}", f"q{number}"
        session.sees(
            AttemptStarted(turn="t", message=message),
            Said(turn="t", message=message, block=0, text=f"Step {number}."),
            ToolMoved(turn="t", activity=tool, state="started", message=message),
            Asked(turn="t", request=gate, kind="approval", prompt="Allow?", activity=tool),
            Resolved(turn="t", request=gate, resolution="approved"),
            ToolMoved(turn="t", activity=tool, state="ok"),
        )
    run = session.state.runs[0]
    assert (run.messages, run.activities, run.gates) == ((), (), ())
    assert len(session.state.lineage) == LINEAGE_LIMIT
    again = session.sees(
        Said(turn="t", message="m0", block=0, text="Step 0."),
        ToolMoved(turn="t", activity="x0", state="started"),
        Resolved(turn="t", request="q0", resolution="declined"),
    )
    assert again == []
    session.sees(Ended(turn="t", ending="interrupted"))
    ended = session.state.past[0]
    assert not list(ended.told.values()) and not list(ended.closed.values())
