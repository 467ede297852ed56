"""The ledger: routes the observations and signals of a session to its runs.

Runs are named by the adapter's turn keys; provider trouble by the native message it struck
(O4): trouble whose message no run has (yet) waits, bounded, and affects no run if none ever
claims it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from . import run as machine
from .beginning import answers, begin, go_on
from .book import Arrived, LedgerState, recent, run_of, with_run
from .events import AnyEvent
from .observations import (
    AnyObservation,
    AttemptStarted,
    Awoke,
    Began,
    Noted,
    Receipted,
    Resolved,
    Said,
    Thought,
    Troubled,
)
from .signals import Answered, AnySignal, Exited, Receipt
from .state import RunState
from .step import Step

WAITING_LIMIT: Final = 64
"""Provider troubles that may wait for a run to claim their message."""


def observe(
    state: LedgerState,
    seen: Iterable[AnyObservation],
    arrived: Arrived,
    counts: Counter[str],
) -> tuple[LedgerState, list[AnyEvent]]:
    """Apply observations in order. Total: what names no run is counted and changes nothing."""
    events: list[AnyEvent] = []
    for one in seen:
        if isinstance(one, Began):
            state, told = begin(state, one, arrived, counts)
        elif isinstance(one, Troubled) and not one.turn:
            state, told = _attribute(state, one, arrived, counts)
        elif isinstance(one, Receipted) and not one.turn:
            state, told = _received(state, one, arrived, counts)
        elif (run := run_of(state, one.turn)) is None:
            counts[one.what if isinstance(one, Noted) else "no such turn"] += 1
            continue
        elif isinstance(one, Resolved) and answers(run, one.request, one.resolution):
            state, told = go_on(state, run, arrived, counts)
        else:
            state, told = _apply(state, run, one, arrived, counts)
        events += told
    return state, events


def signal(
    state: LedgerState, seen: AnySignal, arrived: Arrived, counts: Counter[str]
) -> tuple[LedgerState, list[AnyEvent]]:
    """Apply an edge signal to the run it names, or to every open run; an exit also to the last
    main-thread run if that has ended (T6)."""
    events: list[AnyEvent] = []
    if isinstance(seen, Receipt):
        return _receipt(state, seen, arrived, counts)
    if isinstance(seen, Answered):
        for run in reversed(state.past):
            if answers(run, seen.request, seen.resolution):
                return go_on(state, run, arrived, counts)
    concerned = state.runs
    if isinstance(seen, Exited):
        last = run_of(state, state.last)
        concerned += (last,) if last is not None and last.phase == "ended" else ()
    for run in concerned:
        if seen.turn is None or seen.turn in (run.turn, *run.names):
            step = Step(run, arrived.at_us, arrived.cause, counts)
            machine.signal(step, seen)
            state = with_run(state, run, step.run)
            events += step.events
    return state, events


def _apply(
    state: LedgerState,
    run: RunState,
    seen: AnyObservation,
    arrived: Arrived,
    counts: Counter[str],
) -> tuple[LedgerState, list[AnyEvent]]:
    step = Step(run, arrived.at_us, arrived.cause, counts)
    if run.answering:
        step.set(answering=False)
    machine.observe(step, seen)
    if isinstance(seen, Awoke) and seen.thread is not None:
        step.set(names=(*step.run.names, seen.thread))
    events = step.events
    state = with_run(state, run, step.run)
    if isinstance(seen, Awoke) and seen.thread is not None:
        known = {name: turn for name, turn in state.lineage.items() if name != seen.thread}
        state = replace(state, lineage=recent(known, seen.thread, seen.turn))
        state, claimed = _claim(state, seen.thread, arrived, counts)
        events += claimed
    if isinstance(seen, AttemptStarted | Said | Thought) and seen.message not in state.lineage:
        state = replace(state, lineage=recent(state.lineage, seen.message, seen.turn))
        state, claimed = _claim(state, seen.message, arrived, counts)
        events += claimed
    return state, events


def _attribute(
    state: LedgerState, seen: Troubled, arrived: Arrived, counts: Counter[str]
) -> tuple[LedgerState, list[AnyEvent]]:
    """O4: provider trouble belongs to the run that has its message, or its lineage; a stream that
    the host's cancel cut is no trouble (O2)."""
    named = (state.lineage.get(name or "") for name in (seen.message, seen.lineage))
    run = next((run for turn in named if (run := run_of(state, turn)) is not None), None)
    if run is None:
        if not (seen.message or seen.lineage):
            counts["unattributed trouble"] += 1
            return state, []
        return replace(state, waiting=(*state.waiting, seen)[-WAITING_LIMIT:]), []
    if run.cancelling:
        counts["trouble after a cancel"] += 1
        return state, []
    return _apply(state, run, replace(seen, turn=run.turn), arrived, counts)


def _claim(
    state: LedgerState, name: str, arrived: Arrived, counts: Counter[str]
) -> tuple[LedgerState, list[AnyEvent]]:
    """Trouble that waited for the message or the thread that `name` is."""
    events: list[AnyEvent] = []
    claimed = [t for t in state.waiting if name in (t.message, t.lineage)]
    if claimed:
        rest = tuple(t for t in state.waiting if name not in (t.message, t.lineage))
        state = replace(state, waiting=rest)
        for trouble in claimed:
            state, told = _attribute(state, trouble, arrived, counts)
            events += told
    return state, events


def _received(
    state: LedgerState, seen: Receipted, arrived: Arrived, counts: Counter[str]
) -> tuple[LedgerState, list[AnyEvent]]:
    """O5: what was kept of a message, or of a turn, settles the run that had asked for it."""
    run = run_of(state, state.lineage.get(seen.message or seen.lineage or ""))
    if run is None:
        counts["foreign receipt"] += 1
        return state, []
    return _apply(state, run, replace(seen, turn=run.turn), arrived, counts)


def _receipt(
    state: LedgerState, seen: Receipt, arrived: Arrived, counts: Counter[str]
) -> tuple[LedgerState, list[AnyEvent]]:
    """O5: a receipt settles the one run that it names thrice: by its id, its thread's, and the
    native turn's, or that of the native message which is its answer.
    """
    named = [run for run in (*state.runs, *state.past) if run.run_id == seen.run_id]
    if not named:
        counts["foreign receipt"] += 1
        return state, []
    run = named[0]
    is_turn = seen.native_turn in (run.turn, *run.names)
    if seen.thread_id != run.thread_id or not (
        is_turn or state.lineage.get(seen.native_turn) == run.turn
    ):
        counts["mismatched receipt"] += 1
        return state, []
    step = Step(run, arrived.at_us, arrived.cause, counts)
    machine.receipt(step, seen, None if is_turn else seen.native_turn)
    return with_run(state, run, step.run), step.events
