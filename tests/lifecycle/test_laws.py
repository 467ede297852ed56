"""Laws of the lifecycle over any sequence of observations and signals, sensible or not.

The checkers of conformance are the judges: they share nothing with the lifecycle's tables. One
thing is the adapter's promise and therefore kept in what is generated: it announces no retry of
what it said will not be retried (R7).
"""

from __future__ import annotations

import random
from collections import Counter
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec.structs import replace

from turnreel.adapters.base import Arrival, Edge, Frame
from turnreel.conformance.judging import judged
from turnreel.conformance.watching import Native
from turnreel.lifecycle import events as told
from turnreel.lifecycle import ledger
from turnreel.lifecycle.book import Arrived, LedgerState
from turnreel.lifecycle.events import AnyEvent, Evidence, PlanItem, decode_event, encode_event
from turnreel.lifecycle.fold import fold
from turnreel.lifecycle.observations import (
    AnyObservation,
    Asked,
    AttemptAbandoned,
    AttemptStarted,
    Awoke,
    Began,
    CancelAsked,
    Ended,
    Ending,
    Extent,
    Kept,
    Named,
    Noted,
    Planned,
    Receipted,
    Refused,
    Resolved,
    Retracted,
    Role,
    Said,
    Saying,
    Sourced,
    StopKind,
    Stopped,
    Thought,
    ToolMoved,
    Troubled,
    Voided,
)
from turnreel.lifecycle.receipts import digest_of
from turnreel.lifecycle.signals import (
    Answered,
    AnySignal,
    CancelRequested,
    Closed,
    Exited,
    Message,
    Orphaned,
    Parked,
    Produced,
    Receipt,
    Reopened,
    Unreconciled,
)
from turnreel.wire.units import JsonUnit, LineFraming

Item = AnyObservation | AnySignal

turns = st.sampled_from(["t1", "t1", "t1", "t2", "t3"])
natives = st.sampled_from(["m1", "m2", "m3", "m4"])
tools = st.sampled_from(["x1", "x2"])
requests = st.sampled_from(["q1", "q2"])
texts = st.sampled_from(
    [
        "",
        " ",
        "A",
        "A ",
        " A",
        "A b",
        "A b.",
        "Look",
        "\n\nDone.\n",
        "ß",
        "\U0001f600x",
        "A b. More.",
    ]
)
blocks = st.integers(0, 2)


def one_of(literal: object) -> SearchStrategy:  # type: ignore[type-arg]
    return st.sampled_from(get_args(literal))


talk: SearchStrategy[AnyObservation] = st.one_of(
    st.builds(AttemptStarted, turn=turns, message=natives),
    st.builds(AttemptAbandoned, turn=turns, message=natives, from_block=blocks),
    st.builds(Saying, turn=turns, message=natives, block=blocks, delta=texts, role=one_of(Role)),
    st.builds(
        Said,
        turn=turns,
        message=natives,
        block=blocks,
        text=texts,
        role=one_of(Role),
        closes=st.booleans(),
    ),
    st.builds(Thought, turn=turns, message=natives),
    st.builds(Stopped, turn=turns, message=natives, reason=one_of(StopKind)),
    st.builds(Kept, turn=turns, message=natives),
    st.builds(Voided, turn=turns, message=natives),
    st.builds(Retracted, turn=turns, message=natives),
    st.builds(Named, turn=turns, text=texts, extent=one_of(Extent), alone=st.booleans()),
)
work: SearchStrategy[AnyObservation] = st.one_of(
    st.builds(
        ToolMoved,
        turn=turns,
        activity=tools,
        state=st.just("started") | one_of(told.ActivityState),
        kind=st.just("command"),
        name=st.just("Tool"),
        message=st.none() | natives,
    ),
    st.builds(
        Asked,
        turn=turns,
        request=requests,
        kind=st.just("approval"),
        prompt=st.just("Allow Tool?"),
        blocking=st.booleans(),
        activity=st.none() | tools,
    ),
    st.builds(
        Resolved,
        turn=turns,
        request=requests,
        resolution=st.sampled_from(["approved", "declined", "withdrawn", "expired"]),
    ),
    st.builds(
        Troubled,
        turn=turns | st.just(""),
        code=st.sampled_from(["rate_limited", "provider_unavailable"]),
        attempt=st.none() | st.integers(1, 3),
        will_retry=st.none() | st.just(True),
        message=st.none() | natives,
        lasting=st.booleans(),
    ),
    st.builds(Planned, turn=turns, items=st.just((PlanItem("Step", "active"),))),
    st.builds(Sourced, turn=turns, source=st.just("u"), title=st.just("Title")),
    st.builds(CancelAsked, turn=turns),
    st.builds(Noted, turn=turns, what=st.just("noted")),
)
frame: SearchStrategy[AnyObservation] = st.one_of(
    st.builds(
        Began,
        turn=turns,
        parent=st.none() | turns,
        caused_by=st.none() | turns,
        continues=st.none() | turns,
    ),
    st.builds(Awoke, turn=turns),
    st.builds(Refused, turn=turns, code=st.none() | one_of(told.Code)),
    st.builds(
        Ended,
        turn=turns,
        ending=one_of(Ending),
        code=st.none() | one_of(told.Code),
        retryable=st.none() | st.booleans(),
        confidence=st.none() | one_of(told.Confidence),
        deferred=st.none() | tools,
    ),
    st.builds(
        Receipted,
        turn=turns | st.just(""),
        outcome=one_of(told.Outcome),
        message=st.none() | natives,
        text=st.none() | texts,
        code=st.none() | one_of(told.Code),
    ),
)
edge: SearchStrategy[AnySignal] = st.one_of(
    st.builds(Closed, turn=st.none() | turns),
    st.builds(Reopened, turn=st.none() | turns),
    st.builds(CancelRequested, turn=st.none() | turns),
    st.builds(Parked, request=st.none() | requests),
    st.builds(Exited, code=st.none() | st.integers(0, 1), killed_by=st.none() | st.just("SIGKILL")),
    st.builds(Unreconciled),
    st.builds(Orphaned),
    st.builds(Produced, artifact=st.just("f"), name=st.just("f.txt")),
    st.builds(Message),
    st.builds(
        Answered,
        request=requests,
        resolution=st.sampled_from(["approved", "declined", "answered", "withdrawn"]),
    ),
    texts.flatmap(
        lambda text: st.builds(
            Receipt,
            run_id=st.sampled_from(["s.1", "s.2"]),
            thread_id=st.sampled_from(["s/0", "s/2"]),
            native_turn=turns | natives,
            outcome=one_of(told.Outcome),
            text_digest=st.sampled_from([digest_of(text), ""]),
            text=st.none() | st.just(text),
        )
    ),
)
scripts = st.tuples(
    st.just([Began(turn="t1"), Awoke(turn="t1")]),
    st.lists(talk | work, min_size=8, max_size=40),
    st.lists(talk | work | frame | edge, max_size=12),
).map(lambda parts: [*parts[0], *parts[1], *parts[2]])
"""A run that talks and works for a while, and then anything."""


def play(
    script: list[Item], state: LedgerState | None = None, at: int = 0
) -> tuple[LedgerState, list[AnyEvent]]:
    state = state or LedgerState(session="s", agent="test")
    counts: Counter[str] = Counter()
    events: list[AnyEvent] = []
    for number, item in enumerate(script, at):
        arrived = Arrived(number * 1000, Evidence("agent", number), "test")
        if isinstance(item, AnyObservation):
            state, new = ledger.observe(state, [item], arrived, counts)
        else:
            state, new = ledger.signal(state, item, arrived, counts)
        events += new
    return state, events


def native_of(script: list[Item]) -> Native:
    """What came in, as checkers see it."""
    blank = JsonUnit({}, LineFraming())
    arrivals: dict[int, Arrival] = {}
    for number, item in enumerate(script):
        is_frame = isinstance(item, AnyObservation)
        arrivals[number] = (
            Frame("agent", "out", number, 0, blank) if is_frame else Edge("agent", number, 0, item)
        )
    observed = {n: [item] for n, item in enumerate(script) if isinstance(item, AnyObservation)}
    return Native(arrivals=arrivals, observed=observed)


CALM: list[Item] = [Closed(), Unreconciled()]


@given(scripts)
def test_every_clause_holds_on_whatever_comes(script: list[Item]) -> None:
    _, events = play(script)
    assert [v.message for v in judged(events, native_of(script))] == []


@given(scripts)
def test_every_clause_holds_after_a_cut_and_every_run_has_its_terminal(script: list[Item]) -> None:
    """T1, T4: after the storm, calm."""
    _, events = play([*script, *CALM])
    ends = Counter(event.run_id for event in events if event.terminal)
    assert set(ends.values()) == {1}
    assert set(ends) == {event.run_id for event in events}
    assert [v.message for v in judged(events, native_of([*script, *CALM]))] == []


@given(scripts, st.integers(0, 54))
def test_a_cancel_ends_every_open_run_as_cancelled(script: list[Item], place: int) -> None:
    """T7: whatever came before; what had ended stays as it was."""
    before, former = play(script[:place])
    _, events = play([CancelRequested(), *CALM], before, place)
    ended = {event.run_id for event in former if event.terminal}
    types = {e.run_id: type(e).__name__ for e in events if e.terminal}
    assert set(types.values()) <= {"Cancelled"}
    assert not ended & set(types)


@given(scripts, st.integers(0, 54))
def test_after_a_cancel_request_only_success_is_not_cancelled(
    script: list[Item], place: int
) -> None:
    """T7: whatever the agent says then. A host that parks or abandons the run decides otherwise
    itself.
    """
    before, former = play([*script[:place], CancelRequested()])
    rest = [item for item in script[place:] if not isinstance(item, Parked | Orphaned)]
    _, events = play([*rest, *CALM], before, place)
    for event in events:
        if event.terminal and event.run_id in {one.run_id for one in former}:
            assert (type(event).__name__, getattr(event, "code", None)) in {
                ("Cancelled", None),
                ("Final", None),
                ("Failed", "missing_final"),
            }


@given(scripts, st.integers(0, 54))
def test_a_run_is_a_value_and_playing_on_from_it_is_playing_on(
    script: list[Item], place: int
) -> None:
    """R5: a snapshot of the state is all there is."""
    state, events = play(script)
    middle, head = play(script[:place])
    frozen = replace(middle)
    again, tail = play(script[place:], middle, min(place, len(script)))
    assert (again, head + tail) == (state, events)
    assert middle == frozen


@given(scripts, st.randoms(use_true_random=False))
def test_the_fold_depends_on_the_set_of_events_alone(
    script: list[Item], chance: random.Random
) -> None:
    """V1: idempotent, and order does not matter."""
    _, events = play(script)
    view = fold(events)
    mixed = [*events, *chance.sample(events, len(events) // 2)]
    chance.shuffle(mixed)
    assert fold(mixed) == view
    assert fold(events + events) == view


@given(scripts)
def test_every_event_survives_its_line_of_json(script: list[Item]) -> None:
    """E1, E3."""
    _, events = play(script)
    assert [decode_event(encode_event(event)) for event in events] == events
