"""The ledger: opens runs, gives them their ids, and routes the observations of all tracks to them.

Runs are named by the adapter's turn keys; provider trouble by the native message it struck
(O4): trouble whose message no run has (yet) waits, bounded, and affects no run if none ever
claims it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec.structs import replace

from . import run as machine
from .events import AnyEvent, Evidence, RunStarted
from .observations import (
    AnyObservation,
    AttemptStarted,
    Awoke,
    Began,
    Noted,
    Said,
    Thought,
    Troubled,
)
from .signals import AnySignal, Exited
from .state import RunState
from .step import Step

WAITING_LIMIT: Final = 64
"""Provider troubles that may wait for a run to claim their message."""

LINEAGE_LIMIT: Final = 256
"""Native message ids remembered for attribution; far more than one session has in flight."""

PAST_LIMIT: Final = 1024
"""Ended runs remembered. What names an older one names no turn: it is counted, a run that it
caused or was parent of does not say so, and its native key may begin a run again."""


class LedgerState(msgspec.Struct, frozen=True):
    """All runs of a session. Immutable; dictionaries are never changed in place.

    `runs` are open, in the order they began; `past` have ended, in the order they did. `begun`
    counts all, `last` is the turn of the main thread's youngest. `lineage` maps recent native
    messages to turns.
    """

    session: str
    agent: str
    begun: int = 0
    last: str | None = None
    runs: tuple[RunState, ...] = ()
    past: tuple[RunState, ...] = ()
    lineage: dict[str, str] = {}
    waiting: tuple[Troubled, ...] = ()


class Arrived(msgspec.Struct, frozen=True):
    """When and where what is applied came from: microseconds since the session began, the frame,
    and the dialect that saw it."""

    at_us: int
    cause: Evidence | None
    dialect: str


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
            state, told = _begin(state, one, arrived, counts)
        elif isinstance(one, Troubled) and not one.turn:
            state, told = _attribute(state, one, arrived, counts)
        elif (run := _run_of(state, one.turn)) is None:
            counts[one.what if isinstance(one, Noted) else "no such turn"] += 1
            continue
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
    concerned = state.runs
    if isinstance(seen, Exited):
        last = _run_of(state, state.last)
        concerned += (last,) if last is not None and last.phase == "ended" else ()
    for run in concerned:
        if seen.turn is None or seen.turn == run.turn:
            step = Step(run, arrived.at_us, arrived.cause, counts)
            machine.signal(step, seen)
            state = _with(state, run, step.run)
            events += step.events
    return state, events


def _begin(
    state: LedgerState, seen: Began, arrived: Arrived, counts: Counter[str]
) -> tuple[LedgerState, list[AnyEvent]]:
    if _run_of(state, seen.turn) is not None:
        counts["turn began again"] += 1
        return state, []
    number = state.begun + 1
    parent = _id_of(state, seen.parent)
    opened = RunState(
        turn=seen.turn,
        run_id=f"{state.session}.{number}",
        thread_id=f"{state.session}/{number if parent else 0}",
        began_us=arrived.at_us,
        parent=parent,
    )
    step = Step(opened, arrived.at_us, arrived.cause, counts)
    step.emit(
        RunStarted,
        thread_id=opened.thread_id,
        agent=state.agent,
        dialect=arrived.dialect,
        parent_run_id=parent,
        caused_by=_id_of(state, seen.caused_by),
        continues=_id_of(state, seen.continues),
    )
    last = seen.turn if parent is None else state.last
    state = replace(state, begun=number, last=last, runs=(*state.runs, step.run))
    return state, step.events


def _apply(
    state: LedgerState,
    run: RunState,
    seen: AnyObservation,
    arrived: Arrived,
    counts: Counter[str],
) -> tuple[LedgerState, list[AnyEvent]]:
    step = Step(run, arrived.at_us, arrived.cause, counts)
    machine.observe(step, seen)
    events = step.events
    state = _with(state, run, step.run)
    if isinstance(seen, Awoke) and seen.thread is not None:
        known = {name: turn for name, turn in state.lineage.items() if name != seen.thread}
        state = replace(state, lineage=_recent(known, seen.thread, seen.turn))
    if isinstance(seen, AttemptStarted | Said | Thought) and seen.message not in state.lineage:
        state = replace(state, lineage=_recent(state.lineage, seen.message, seen.turn))
        state, claimed = _claim(state, seen.message, arrived, counts)
        events += claimed
    return state, events


def _recent(lineage: dict[str, str], message: str, turn: str) -> dict[str, str]:
    """The lineage with one message more, without the oldest if there are too many."""
    recent = {**lineage, message: turn}
    if len(recent) > LINEAGE_LIMIT:
        del recent[next(iter(recent))]
    return recent


def _attribute(
    state: LedgerState, seen: Troubled, arrived: Arrived, counts: Counter[str]
) -> tuple[LedgerState, list[AnyEvent]]:
    """O4: provider trouble belongs to the run that has its message, or its lineage; a stream that
    the host's cancel cut is no trouble (O2)."""
    run = _run_of(state, state.lineage.get(_names(seen)))
    if run is None:
        if not _names(seen):
            counts["unattributed trouble"] += 1
            return state, []
        return replace(state, waiting=(*state.waiting, seen)[-WAITING_LIMIT:]), []
    if run.cancelling:
        counts["trouble after a cancel"] += 1
        return state, []
    return _apply(state, run, replace(seen, turn=run.turn), arrived, counts)


def _names(trouble: Troubled) -> str:
    """What attributes trouble: the message it struck, else its lineage, else nothing."""
    return trouble.message or trouble.lineage or ""


def _claim(
    state: LedgerState, message: str, arrived: Arrived, counts: Counter[str]
) -> tuple[LedgerState, list[AnyEvent]]:
    events: list[AnyEvent] = []
    claimed = [t for t in state.waiting if _names(t) == message]
    if claimed:
        rest = tuple(t for t in state.waiting if _names(t) != message)
        state = replace(state, waiting=rest)
        for trouble in claimed:
            state, told = _attribute(state, trouble, arrived, counts)
            events += told
    return state, events


def _run_of(state: LedgerState, turn: str | None) -> RunState | None:
    if not turn:
        return None
    for runs in (state.runs, state.past):
        for run in reversed(runs):
            if run.turn == turn:
                return run
    return None


def _id_of(state: LedgerState, turn: str | None) -> str | None:
    run = _run_of(state, turn)
    return run.run_id if run else None


def _with(state: LedgerState, old: RunState, new: RunState) -> LedgerState:
    """The ledger with `new` in the place of `old`; a run that ended goes to the past."""
    if old is new:
        return state
    if old.phase == "ended":
        return replace(state, past=tuple(new if r is old else r for r in state.past))
    if new.phase == "ended":
        runs = tuple(run for run in state.runs if run is not old)
        return replace(state, runs=runs, past=(*state.past, new)[-PAST_LIMIT:])
    return replace(state, runs=tuple(new if r is old else r for r in state.runs))
