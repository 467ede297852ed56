"""One run: every observation and signal finds its machine here.

`observe` and `signal` are total: what has no meaning in the run's phase is dropped and counted.
After the terminal only health may follow (T6).
"""

from __future__ import annotations

from . import activities, gates, health, messages, receipts, terminal
from .events import Artifact, Plan, Source
from .observations import (
    AnyObservation,
    Asked,
    AttemptAbandoned,
    AttemptStarted,
    Awoke,
    CancelAsked,
    Ended,
    Kept,
    Named,
    Noted,
    Planned,
    Receipted,
    Refused,
    Resolved,
    Retracted,
    Said,
    Saying,
    Sourced,
    Stopped,
    Thought,
    ToolMoved,
    Troubled,
    Voided,
)
from .signals import (
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
from .state import NamedText
from .step import Step
from .tables import RUN, RunCause


def observe(step: Step, seen: AnyObservation) -> None:
    """Apply an observation to a run."""
    if isinstance(seen, Noted):
        step.drop(seen.what)
    elif step.run.phase == "ended":
        step.drop(f"late {type(seen).__name__.lower()}")
    else:
        _observe(step, seen)


def _observe(step: Step, seen: AnyObservation) -> None:
    match seen:
        case Saying():
            messages.saying(step, seen)
        case Said():
            health.advanced(step, seen.message)
            messages.said(step, seen)
        case Thought():
            health.advanced(step, seen.message)
        case ToolMoved():
            if seen.state == "started":
                health.advanced(step, seen.message)
            activities.moved(step, seen)
        case AttemptStarted():
            messages.attempt_started(step, seen)
        case AttemptAbandoned():
            messages.attempt_abandoned(step, seen)
        case Stopped():
            messages.stopped(step, seen)
        case Kept():
            messages.move_native(step, seen.message, "kept")
        case Voided():
            messages.move_native(step, seen.message, "rejected")
        case Retracted():
            messages.move_native(step, seen.message, "retracted")
        case Asked():
            gates.asked(step, seen)
        case Resolved():
            gates.close(step, seen.request, seen.resolution)
        case Troubled():
            health.troubled(step, seen)
        case _:
            _observe_run(step, seen)


def _observe_run(step: Step, seen: AnyObservation) -> None:
    match seen:
        case Awoke():
            step.set(awake=True)
        case CancelAsked():
            step.set(cancelling=True)
        case Named():
            step.set(named=NamedText(seen.text, seen.extent, seen.alone, seen.message))
        case Planned():
            step.emit(Plan, items=seen.items)
        case Sourced():
            _source(step, seen)
        case Ended():
            terminal.ended(step, seen)
        case Refused():
            terminal.refused(step, seen)
        case Receipted():
            receipts.settle(step, receipts.of(seen))
        case _:
            step.drop(f"{type(seen).__name__.lower()} again")


def signal(step: Step, seen: AnySignal) -> None:
    """Apply an edge signal to a run."""
    if step.run.phase == "ended":
        _after(step, seen)
        return
    match seen:
        case Closed():
            _move(step, "closed")
        case Exited():
            if _is_bad(seen):
                step.set(crashed=True)
            _move(step, "closed")
        case Reopened():
            _move(step, "reopened")
        case CancelRequested():
            step.set(cancelling=True)
        case Parked():
            terminal.parked(step, seen.request)
        case Unreconciled():
            terminal.unreconciled(step)
        case Orphaned():
            terminal.orphaned(step)
        case Produced():
            _artifact(step, seen)
        case Answered():
            gates.close(step, seen.request, seen.resolution)
        case Message():  # the adapter reads it: it begins a turn or waits for one
            pass
        case _:
            step.drop(f"signal {type(seen).__name__.lower()}")


def receipt(step: Step, seen: Receipt, message: str | None) -> None:
    """Apply a receipt to the run it names; `message` is the native message that it names its
    answer by, if it does.
    """
    if step.run.phase == "ended":
        _after(step, seen)
        return
    proof = receipts.Proof(
        outcome=seen.outcome,
        message=message,
        text=seen.text,
        digest=seen.text_digest,
        code=seen.code,
    )
    receipts.settle(step, proof)


def _move(step: Step, cause: RunCause) -> None:
    phase = RUN.get((step.run.phase, cause))
    if phase is None:
        step.drop(f"run {cause} while {step.run.phase}")
    else:
        step.set(phase=phase)


def _source(step: Step, seen: Sourced) -> None:
    """A reference is told once, however often the agent names it (R2)."""
    if seen.source in step.run.sources:
        step.drop("source told before")
        return
    step.set(sources=(*step.run.sources, seen.source))
    source_id = step.id_of("s", len(step.run.sources))
    step.emit(Source, source_id=source_id, title=seen.title, origin=seen.origin)


def _artifact(step: Step, seen: Produced) -> None:
    """An artifact is told once: a retry keeps its id (R1)."""
    if seen.artifact in step.run.artifacts:
        step.drop("artifact told before")
        return
    step.set(artifacts=(*step.run.artifacts, seen.artifact))
    step.emit(
        Artifact,
        artifact_id=step.id_of("f", len(step.run.artifacts)),
        name=seen.name,
        media_type=seen.media_type,
        origin=seen.origin,
    )


def _after(step: Step, seen: AnySignal) -> None:
    """T6: a non-zero exit after success degrades health and changes no outcome."""
    match seen:
        case Exited() if step.run.ending == "final" and _is_bad(seen):
            health.degrade(step, "unknown")
        case Exited():  # as every process does after its turns
            pass
        case _:
            step.drop(f"late {type(seen).__name__.lower()}")


def _is_bad(exit: Exited) -> bool:
    return exit.killed_by is not None or exit.code not in (None, 0)
