"""Every checker passes a good turn and fails a turn that is broken in its clause alone."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace as changed
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.conformance import test_texts
from tests.conformance.turns import (
    RUN,
    asked,
    closed,
    failed,
    final,
    frame,
    good,
    health,
    native_of,
    needs,
    number,
    produced,
    resolved,
    said,
    started,
    tell,
    tool,
)
from turnreel.adapters.base import Arrival, Edge
from turnreel.conformance.checkers import session_watches, watches
from turnreel.conformance.judging import Judge, judged
from turnreel.conformance.watching import Native
from turnreel.lifecycle.events import AnyEvent, Cancelled
from turnreel.lifecycle.observations import Troubled
from turnreel.lifecycle.signals import Receipt, Reopened

CHECKERS = Path(__file__).parents[2] / "conformance" / "checkers"


def broken_clauses(events: list[AnyEvent], native: Native | None = None) -> set[str]:
    return {violation.clause for violation in judged(events, native)}


def test_a_good_turn_breaks_nothing() -> None:
    assert broken_clauses(good(), native_of(good())) == set()


def turn(*events: AnyEvent) -> list[AnyEvent]:
    return number([started(), *events])


BROKEN: dict[str, tuple[str, list[AnyEvent]]] = {
    "a text that cannot be stored": ("V4", turn(said("m1", "A \ud800 B"), final())),
    "another version": ("E1", [replace(good()[0], v=2), *good()[1:]]),
    "an id of another event": ("E1", [*good()[:-1], replace(good()[-1], id="s.1:1")]),
    "a terminal that is not marked": ("E1", [*good()[:-1], replace(good()[-1], terminal=False)]),
    "commentary marked terminal": ("E1", [good()[0], replace(good()[1], terminal=True)]),
    "a time before the run": ("E1", [replace(good()[0], at_ms=-1)]),
    "a gap": ("E2", [turn(produced(), final())[at] for at in (0, 2)]),
    "a number told twice": ("E2", [turn(produced(), final())[at] for at in (0, 1, 1, 2)]),
    "no start": ("Y", number([said("m1", "A."), final()])),
    "two starts": ("Y", turn(started(), final())),
    "a start without a thread": ("Y", number([started(thread_id=""), final()])),
    "the final's message is commentary": (
        "C2",
        turn(said("m9", "The total"), final()),
    ),
    "unfinished at the terminal": ("C7", turn(said("m1", "A", done=False), final())),
    "an empty final": ("C5", turn(final(""))),
    "error text as final": ("C5", turn(final("API Error: 500 overloaded"))),
    "an offset behind the end": (
        "C7",
        turn(said("m1", "A", done=False), said("m1", "C", offset=2)),
    ),
    "a revision that shrinks": (
        "C7",
        turn(said("m1", "A", revision=2), said("m1", "B", revision=1)),
    ),
    "a revision that begins inside": (
        "C7",
        turn(said("m1", "A", done=False), said("m1", "B", revision=2, offset=1)),
    ),
    "said on after it was done": ("C7", turn(said("m1", "A"), said("m1", "B", offset=1))),
    "said on after it was taken back": (
        "C7",
        turn(
            said("m1", "A"),
            said("m1", "", revision=2, retracted=True),
            said("m1", "A", revision=2),
        ),
    ),
    "taken back in place": ("C7", turn(said("m1", "A"), said("m1", "", retracted=True))),
    "white space at an end": ("C9", turn(said("m1", "A. "), final())),
    "a finished message without text": ("C9", turn(said("m1", ""), final())),
    "white space around the final": ("C9", turn(final(" The total is 42."))),
    "two terminals": ("T1", turn(final(), failed())),
    "commentary after the terminal": ("T2", turn(final(), said("m1", "Late."))),
    "needs_input without a prompt": (
        "T5",
        turn(asked(), resolved("parked"), needs(text=" ")),
    ),
    "parked without needs_input": ("T5", turn(asked(), resolved("parked"), final())),
    "needs_input of a gate that was answered": (
        "T5",
        turn(asked(), resolved("approved"), needs()),
    ),
    "recovery after the terminal": ("T6", turn(final(), health("recovered"))),
    "degraded again and again after the terminal": (
        "T6",
        turn(final(), health("degraded"), health("degraded")),
    ),
    "failed without saying whether to retry": ("T8", turn(failed(retryable=None))),
    "a failure of two lines": ("T8", turn(failed(text="It\nfailed."))),
    "a final with a code": ("T8", turn(final(code="auth"))),
    "a gate open at the terminal": ("T9", turn(asked(), failed())),
    "an activity open at the terminal": ("T9", turn(tool("started"), final())),
    "an activity that never started": ("T10", turn(tool("ok"))),
    "an activity that starts again": ("T10", turn(tool("started"), tool("started"))),
    "an activity that closes twice": ("T10", turn(tool("started"), tool("ok"), tool("failed"))),
    "an unknown activity that moves on": (
        "T10",
        turn(tool("started"), tool("unknown"), tool("progress"), tool("ok")),
    ),
    "an activity that changes its kind": (
        "T10",
        turn(tool("started"), tool("ok", kind="search")),
    ),
    "a final that is blocked": ("O1", turn(final(outcome="blocked"))),
    "an abandoned run that only failed": ("O1", turn(failed(code="abandoned"))),
    "recovery without trouble": ("O2", turn(health("recovered"), final(health="recovered"))),
    "trouble that the final forgets": ("O2", turn(health("degraded"), final(health="recovered"))),
    "a failure that is healthy": ("O2", turn(failed(health="healthy"))),
    "a limit that degrades": ("O2", turn(failed(code="max_turns"))),
    "a parent that is not there": ("O6", number([started(parent_run_id="s.7"), final()])),
    "a run that caused itself": ("O6", number([started(caused_by=RUN), final()])),
    "a gate asked twice": ("G5", turn(asked(), asked(), resolved("approved"))),
    "a gate answered twice": ("G5", turn(asked(), resolved("approved"), resolved("declined"))),
    "an answer to no gate": ("G5", turn(resolved("approved"))),
    "a gate without a prompt": ("G7", turn(asked(prompt=""), resolved("approved"))),
    "an approval that is answered": ("G7", turn(asked(), resolved("answered"))),
    "a gate that changes its kind": ("G7", turn(asked(), resolved("answered", kind="question"))),
    "one attempt told twice": (
        "R7",
        turn(health("degraded", attempt=1), health("degraded", attempt=1)),
    ),
    "a retry of what will not be retried": (
        "R7",
        turn(health("degraded", will_retry=False), health("degraded", will_retry=True)),
    ),
}


@pytest.mark.parametrize(("clause", "events"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_turn_breaks_its_clause_alone(clause: str, events: list[AnyEvent]) -> None:
    assert broken_clauses(events) == {clause}


def test_a_view_that_lost_the_answer_breaks_v3() -> None:
    """A terminal under a number that was taken: readers keep what they saw first."""
    events = turn(produced(), final())
    events[-1] = replace(events[-1], seq=2, id="s.1:2")
    assert broken_clauses(events) >= {"V3", "E2"}


def test_an_error_that_will_be_retried_is_not_what_the_run_fails_of() -> None:
    events = turn(health("degraded", will_retry=True), failed())
    events[-1] = replace(events[-1], evidence=events[-2].evidence)
    assert broken_clauses(events) == {"O3"}


def test_a_fold_that_depends_on_order_breaks_v1() -> None:
    """Two events with one number and different words: a set that has no one view."""
    events = turn(said("m1", "A"), said("m2", "B"), final())
    twin = replace(events[1], text="C")  # type: ignore[call-arg]
    assert "V1" in broken_clauses([*events[:2], twin, *events[2:]])


NATIVE: dict[str, tuple[str, Callable[[list[AnyEvent], Native], Native]]] = {
    "evidence that leads nowhere": (
        "E4",
        lambda events, native: changed(
            native, arrivals={n: a for n, a in native.arrivals.items() if n != 2}
        ),
    ),
    "evidence of another track": (
        "E4",
        lambda events, native: changed(
            native, arrivals={**native.arrivals, 2: frame(2, {}, track="provider")}
        ),
    ),
    "a tool that nobody said succeeded": (
        "T10",
        lambda events, native: changed(native, observed={**native.observed, 8: []}),
    ),
    "a gate that nobody opened": (
        "G7",
        lambda events, native: changed(native, observed={**native.observed, 5: []}),
    ),
    "an attempt beyond the bound": (
        "R7",
        lambda events, native: changed(native, retry_bounds={"d": 0}),
    ),
    "hidden text in the final": (
        "C4",
        lambda events, native: changed(
            native,
            arrivals={
                **native.arrivals,
                3: frame(3, {"content": [{"type": "thinking", "thinking": "The total is 42."}]}),
            },
        ),
    ),
}


@pytest.mark.parametrize(("clause", "breaks"), NATIVE.values(), ids=NATIVE.keys())
def test_a_native_side_that_does_not_support_the_turn(
    clause: str, breaks: Callable[[list[AnyEvent], Native], Native]
) -> None:
    events = good()
    assert broken_clauses(events, breaks(events, native_of(events))) == {clause}


def test_a_final_needs_a_native_success_and_a_terminal_a_deciding_cause() -> None:
    events = good()
    native = native_of(events)
    observed = {at: seen for at, seen in native.observed.items() if at != len(events)}
    arrivals = {**native.arrivals, len(events): closed(len(events))}
    undecided = changed(native, arrivals=arrivals, observed=observed)
    assert broken_clauses(events, undecided) == {"C2", "T3"}


def test_a_failure_by_the_end_of_the_stream_is_decided_by_nobody() -> None:
    events = turn(failed("incomplete", retryable=True))
    native = changed(native_of(events), observed={}, arrivals={1: frame(1, {}), 2: closed(2)})
    assert broken_clauses(events, native) == {"T3"}


RECEIPT = Receipt(
    run_id=RUN,
    thread_id="s/0",
    native_turn="t",
    outcome="completed",
    text_digest=sha256(b"The total is 42.").hexdigest(),
)
SETTLED = turn(final())


def settled_by(receipt: Receipt, *before: Arrival) -> Native:
    """The native side of a run that a receipt ended, after these arrivals."""
    arrivals = {1: frame(1, {}), **{one.number: one for one in before}}
    arrivals[len(SETTLED)] = Edge("agent", len(SETTLED), 0, receipt)
    return changed(native_of(SETTLED), observed={}, arrivals=dict(sorted(arrivals.items())))


UNSETTLED: dict[str, Native] = {
    "no end of stream": settled_by(RECEIPT),
    "a stream that was opened again": settled_by(
        RECEIPT, closed(0), Edge("agent", 1, 0, Reopened())
    ),
    "another run": settled_by(replace(RECEIPT, run_id="s.2"), closed(0)),
    "another text": settled_by(replace(RECEIPT, text_digest="0"), closed(0)),
    "a text of its own": settled_by(
        replace(RECEIPT, text="No.", text_digest=sha256(b"No.").hexdigest()), closed(0)
    ),
}


def test_a_receipt_ends_a_run_whose_stream_ended() -> None:
    assert broken_clauses(SETTLED, settled_by(RECEIPT, closed(0))) == set()


@pytest.mark.parametrize("native", UNSETTLED.values(), ids=UNSETTLED)
def test_a_receipt_that_could_settle_nothing(native: Native) -> None:
    assert broken_clauses(SETTLED, native) == {"O5"}


@pytest.mark.parametrize(("bound", "broken"), [(1, {"R7"}), (2, set()), (None, set())])
def test_the_bound_of_attempts_is_the_one_that_the_frame_tells(
    bound: int | None, broken: set[str]
) -> None:
    events = turn(health("degraded", attempt=2, will_retry=True), failed("rate_limited"))
    events[-1] = replace(events[-1], retryable=True)
    native = native_of(events)
    trouble = Troubled(turn="t", code="rate_limited", attempt=2, bound=bound)
    told = changed(native, observed={**native.observed, 2: [trouble]})
    assert broken_clauses(events, told) == broken


def test_a_cancel_needs_somebody_who_asked() -> None:
    cancelled = tell(
        Cancelled,
        message_id=f"{RUN}/m9",
        text="Cancelled.",
        outcome="interrupted",
        health="healthy",
    )
    events = turn(cancelled)
    native = native_of(turn(failed()))
    assert broken_clauses(events, native) == {"T7"}


def test_every_clause_is_seen_to_fail() -> None:
    """No check that cannot fail."""
    shown = {clause for clause, _ in [*BROKEN.values(), *NATIVE.values()]}
    shown |= {clause for clause, _, _ in test_texts.BROKEN.values()}
    shown |= {"V2", "V3", "O3", "O5", "V1", "T3", "T7"}  # by tests of their own
    assert shown == {watch.clause for watch in watches()}


mutable = st.sampled_from(
    [
        started(),
        said("m1", "A"),
        said("m1", "B", done=False, offset=3, revision=2),
        said("m1", "", retracted=True, revision=2),
        tool("started"),
        tool("ok"),
        asked(),
        resolved("parked"),
        health("degraded", attempt=1),
        health("recovered"),
        produced(),
        final(),
        failed(code=None, retryable=None),
        needs(),
        started(run_id="s.2", parent_run_id="s.1"),
        final(run_id="s.2"),
    ]
)
numbers = st.integers(-1, 5)


def test_the_registry_is_the_folder() -> None:
    files = [path.stem for path in CHECKERS.glob("*.py")]
    found = [watch.clause for watch in watches()]
    found += [watch.clause for watch in session_watches()]
    assert len(found) == len(set(files) - {"__init__", "registry"})
    assert len(set(found)) == len(found)
    assert all(watch.sentence.endswith(".") for watch in watches())


@given(st.data())
def test_a_copied_judge_goes_on_like_one_that_saw_all(data: st.DataObject) -> None:
    drawn = data.draw(st.lists(st.tuples(mutable, numbers, numbers), max_size=20))
    events = [replace(event, seq=seq, at_ms=at) for event, seq, at in drawn]
    place = data.draw(st.integers(0, len(events)))
    whole, first = Judge(), Judge()
    expected = [whole.see(event) for event in events]
    assert [first.see(event) for event in events[:place]] == expected[:place]
    second = first.copy()
    assert [second.see(event) for event in events[place:]] == expected[place:]
    assert [first.see(event) for event in events[place:]] == expected[place:]


def test_no_checker_knows_the_tables_it_judges() -> None:
    """The lifecycle's definitions are shared, its decisions are not."""
    allowed = {"events", "observations", "signals", "fold", "notices"}
    for path in CHECKERS.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("turnreel.life"):
                assert (node.module or "").rpartition(".")[2] in allowed, path.name


@given(st.lists(st.tuples(mutable, numbers, numbers), max_size=30))
def test_no_list_of_events_crashes_a_checker(drawn: list[tuple[AnyEvent, int, int]]) -> None:
    events = [replace(event, seq=seq, at_ms=at) for event, seq, at in drawn]
    for violation in judged(events, native_of(events)):
        assert violation.clause and violation.message
