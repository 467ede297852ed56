"""The ledger's book: the runs of a session, open and past, and what names them.

One immutable value; whoever changes it goes on with the one that the function returns.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from .events import Evidence
from .observations import Troubled
from .state import RunState
from .terms import PLAIN, Terms

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
    terms: Terms = PLAIN
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


def run_of(state: LedgerState, turn: str | None) -> RunState | None:
    """The youngest run of this native turn, open ones first."""
    if not turn:
        return None
    for runs in (state.runs, state.past):
        for run in reversed(runs):
            if run.turn == turn:
                return run
    return None


def id_of(state: LedgerState, turn: str | None) -> str | None:
    """The id of that run."""
    run = run_of(state, turn)
    return run.run_id if run else None


def with_run(state: LedgerState, old: RunState, new: RunState) -> LedgerState:
    """The ledger with `new` in the place of `old`; a run that ended goes to the past."""
    if old is new:
        return state
    if old.phase == "ended":
        return replace(state, past=tuple(new if r is old else r for r in state.past))
    if new.phase == "ended":
        runs = tuple(run for run in state.runs if run is not old)
        return replace(state, runs=runs, past=(*state.past, new)[-PAST_LIMIT:])
    return replace(state, runs=tuple(new if r is old else r for r in state.runs))


def recent(lineage: dict[str, str], message: str, turn: str) -> dict[str, str]:
    """The lineage with one message more, without the oldest if there are too many."""
    lineage = {**lineage, message: turn}
    if len(lineage) > LINEAGE_LIMIT:
        del lineage[next(iter(lineage))]
    return lineage
