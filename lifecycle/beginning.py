"""How runs begin: a native turn began, or the gate that a former run ended with was answered."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from .book import Arrived, LedgerState, id_of, run_of, with_run
from .events import AnyEvent, Resolution, RunStarted
from .observations import Began
from .state import RunState
from .step import Step
from .tables import ANSWERS


def begin(
    state: LedgerState, seen: Began, arrived: Arrived, counts: Counter[str]
) -> tuple[LedgerState, list[AnyEvent]]:
    """A native turn began: a run of its own, once. If a parked gate was answered, and the agent has
    not spoken since, it is the turn by which that answer is taken.
    """
    if run_of(state, seen.turn) is not None:
        counts["turn began again"] += 1
        return state, []
    for run in state.runs:
        if run.answering and run.parent is None and not (seen.parent or seen.caused_by):
            # the agent was started anew to take the answer: this is the turn that it began for it
            taken = replace(run, turn=seen.turn, awake=False, answering=False)
            return replace(with_run(state, run, taken), last=seen.turn), []
    number = state.begun + 1
    parent = id_of(state, seen.parent)
    opened = RunState(
        turn=seen.turn,
        run_id=f"{state.session}.{number}",
        thread_id=f"{state.session}/{number if parent else 0}",
        began_us=arrived.at_us,
        dialect=arrived.dialect,
        terms=state.terms,
        parent=parent,
        names=() if seen.called is None else (seen.called,),
    )
    return _open(
        state,
        Step(opened, arrived.at_us, arrived.cause, counts),
        caused_by=id_of(state, seen.caused_by),
        continues=id_of(state, seen.continues),
    )


def go_on(
    state: LedgerState, former: RunState, arrived: Arrived, counts: Counter[str]
) -> tuple[LedgerState, list[AnyEvent]]:
    """T5: the gate that `former` ended with was answered. A new run continues it, in the same
    thread; what the agent says of the native turn from here on is that run's.
    """
    gate = former.parked
    assert gate is not None, "it was answered"
    state = with_run(state, former, replace(former, parked=None))
    opened = RunState(
        turn=former.turn,
        run_id=f"{state.session}.{state.begun + 1}",
        thread_id=former.thread_id,
        began_us=arrived.at_us,
        dialect=former.dialect,
        terms=state.terms,
        parent=former.parent,
        awake=True,
        answering=True,
    )
    step = Step(opened, arrived.at_us, arrived.cause, counts)
    return _open(state, step, continues=former.run_id, request_id=gate.request_id)


def answers(run: RunState, request: str, resolution: Resolution) -> bool:
    """Whether this is the answer to the gate that `run` ended with."""
    gate = run.parked
    return gate is not None and gate.native == request and resolution in ANSWERS[gate.kind]


def _open(
    state: LedgerState,
    step: Step,
    *,
    caused_by: str | None = None,
    continues: str | None = None,
    request_id: str | None = None,
) -> tuple[LedgerState, list[AnyEvent]]:
    """The run of `step` begins."""
    run = step.run
    step.emit(
        RunStarted,
        thread_id=run.thread_id,
        agent=state.agent,
        dialect=run.dialect,
        parent_run_id=run.parent,
        caused_by=caused_by,
        continues=continues,
        request_id=request_id,
    )
    last = run.turn if run.parent is None else state.last
    state = replace(state, begun=state.begun + 1, last=last, runs=(*state.runs, step.run))
    return state, step.events
