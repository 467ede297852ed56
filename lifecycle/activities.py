"""The activity machine: tools, commands, child agents (T9, T10).

Moves stand in `tables.ACTIVITY`; what a move means for messages and gates stands in
`tables.COUPLING`.
"""

from __future__ import annotations

from msgspec.structs import replace

from . import gates, messages
from .events import Activity
from .observations import ToolMoved
from .state import ActivityState
from .step import Step
from .tables import ACTIVITY, COUPLING, ActivityCause, Coupled


def moved(step: Step, seen: ToolMoved) -> None:
    """A tool moved. Only ``started`` opens an activity; a close of an unknown one is counted
    (T10).
    """
    known = find(step, seen.activity)
    if seen.state == "started":
        if known is not None:
            step.drop("activity started again")
            return
        _start(step, seen)
    elif known is None:
        step.drop("orphan activity")
    else:
        if seen.state != "progress":
            couple(step, "activity closed behind an open gate", behind=known.native)
        move(step, known, _cause(step, known, seen.state))


def find(step: Step, native: str) -> ActivityState | None:
    """The activity with this native id."""
    for activity in step.run.activities:
        if activity.native == native:
            return activity
    return None


def move(step: Step, activity: ActivityState, cause: ActivityCause) -> None:
    """Move one activity and tell of it."""
    phase = ACTIVITY.get((activity.phase, cause))
    if phase is None:
        step.drop(f"activity {cause} after {activity.phase}")
        return
    changed = replace(activity, phase=phase)
    step.set(activities=tuple(changed if a is activity else a for a in step.run.activities))
    step.emit(
        Activity,
        activity_id=step.id_of("a", activity.number),
        kind=activity.kind,
        name=activity.name,
        state="progress" if cause == "progress" else phase,
    )


def close_all(step: Step, cause: ActivityCause) -> None:
    """Close what is open, in order (T9)."""
    for activity in step.run.activities:
        if activity.phase == "started":
            move(step, activity, cause)


def couple(step: Step, happening: Coupled, behind: str | None = None) -> None:
    """Apply what `happening` means for the other machines. `behind` limits gates to one
    activity's.
    """
    for machine, cause in COUPLING[happening]:
        match machine:
            case "message":
                messages.move_all(step, cause)  # type: ignore[arg-type]
            case "gate":
                gates.close_all(step, cause, behind)  # type: ignore[arg-type]
            case _:
                close_all(step, cause)  # type: ignore[arg-type]


def _start(step: Step, seen: ToolMoved) -> None:
    couple(step, "activity started")
    if seen.message is not None:
        step.set(tooled=seen.message)
    number, activity_id = step.name("a")
    opened = ActivityState(
        native=seen.activity,
        number=number,
        kind=seen.kind,
        name=seen.name or seen.kind,
        phase="started",
    )
    step.set(activities=(*step.run.activities, opened))
    step.emit(
        Activity, activity_id=activity_id, kind=opened.kind, name=opened.name, state="started"
    )


def _cause(step: Step, activity: ActivityState, told: ActivityCause) -> ActivityCause:
    """T9: an error close behind a refused gate is a decline, after a cancel request a cancel."""
    if told in ("failed", "declined"):
        if gates.refused(step, activity.native):
            return _derived("activity failed behind a refused gate")
        if step.run.cancelling:
            return _derived("activity failed while cancelling")
    return told


def _derived(happening: Coupled) -> ActivityCause:
    ((_, cause),) = COUPLING[happening]
    return cause  # type: ignore[return-value]
