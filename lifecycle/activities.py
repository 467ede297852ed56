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
            couple(step, _closing(step), behind=known.native)
        move(step, known, _cause(step, known, seen.state))


def find(step: Step, native: str) -> ActivityState | None:
    """The activity with this native id."""
    for activity in step.run.activities:
        if activity.native == native:
            return activity
    return step.run.closed.get(native)


def move(step: Step, activity: ActivityState, cause: ActivityCause) -> None:
    """Move one activity and tell of it."""
    phase = ACTIVITY.get((activity.phase, cause))
    if phase is None:
        step.drop(f"activity {cause} after {activity.phase}")
        return
    if phase != "started":
        step.set(
            activities=tuple(a for a in step.run.activities if a is not activity),
            closed=step.run.closed.put(activity.native, replace(activity, phase=phase)),
        )
    step.emit(
        Activity,
        activity_id=step.id_of("a", activity.number),
        kind=activity.kind,
        name=activity.name,
        state="progress" if cause == "progress" else phase,
    )


def couple(step: Step, happening: Coupled, behind: str | None = None) -> None:
    """Apply what `happening` means to every message, activity and gate. `behind` limits gates to
    one activity's.
    """
    messages.happen_to_all(step, happening)
    cause = COUPLING[happening].activity
    if cause is not None:
        for activity in step.run.activities:
            move(step, activity, cause)
    gates.happen_to_all(step, happening, behind)


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


def _closing(step: Step) -> Coupled:
    """What a close is for the gate in front of it (G7): while the run is being cancelled the host
    took the question back."""
    if step.run.cancelling:
        return "activity closed behind an open gate while cancelling"
    return "activity closed behind an open gate"


def _cause(step: Step, activity: ActivityState, told: ActivityCause) -> ActivityCause:
    """T9: an error close behind a refused gate is a decline, after a cancel request a cancel."""
    derived = None
    if told in ("failed", "declined"):
        if gates.refused(step, activity.native):
            derived = COUPLING["activity failed behind a refused gate"].activity
        elif step.run.cancelling:
            derived = COUPLING["activity failed while cancelling"].activity
    return derived or told
