"""Runtime health: the second axis (O2-O4). It never decides an outcome."""

from __future__ import annotations

from msgspec.structs import replace

from .events import Code, Health, HealthState
from .observations import Troubled
from .state import HealthView
from .step import Step
from .tables import LIMITS


def troubled(step: Step, seen: Troubled) -> None:
    """Trouble: degraded, told once for each attempt (O3: it never fails the run)."""
    view = step.run.health
    known = view.state == "degraded" and seen.attempt in (None, view.attempt)
    step.set(
        health=HealthView(
            state="degraded",
            code=seen.code,
            attempt=seen.attempt if seen.attempt is not None else view.attempt,
            message=seen.message,
            lasting=view.lasting or seen.lasting,
        )
    )
    if known:
        step.drop("trouble told before")
        return
    step.emit(
        Health,
        state="degraded",
        code=seen.code,
        attempt=seen.attempt,
        will_retry=seen.will_retry,
    )


def advanced(step: Step, message: str | None) -> None:
    """A completed model block: trouble of an earlier attempt is overcome, said once (O2). A late
    block of the very message that trouble struck proves nothing."""
    view = step.run.health
    if view.state == "degraded" and not view.lasting:
        if message is not None and message == view.message:
            return
        overcome(step)


def overcome(step: Step) -> None:
    """Say that the trouble is over."""
    view = step.run.health
    step.set(health=replace(view, state="recovered", attempt=None, message=None))
    step.emit(Health, state="recovered", code=view.code or "unknown")


def degrade(step: Step, code: Code) -> None:
    """Trouble that nothing will overcome: the run is cancelled with it (T7) or has ended (T6)."""
    if step.run.health.state != "degraded":
        step.set(health=replace(step.run.health, state="degraded", code=code))
        step.emit(Health, state="degraded", code=code)


def at_success(step: Step) -> HealthState:
    """A success overcomes what was pending, but for what lasts to the end (O2)."""
    view = step.run.health
    if view.state == "degraded" and not view.lasting:
        overcome(step)
    return step.run.health.state


def at_failure(step: Step, code: Code) -> HealthState:
    """A failed code degrades, unless it is a limit or a policy (O2)."""
    if code not in LIMITS:
        step.set(health=replace(step.run.health, state="degraded", code=code))
    return step.run.health.state
