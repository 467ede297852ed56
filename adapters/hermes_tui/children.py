"""Subagents of the TUI gateway: runs of their own under the turn that called them (O6)."""

from __future__ import annotations

from turnreel.adapters.hermes import speech, turns
from turnreel.adapters.hermes.sessions import Step
from turnreel.adapters.hermes.turns import Reading, Turn
from turnreel.adapters.working import with_entry, without
from turnreel.lifecycle.observations import Awoke, Began

from .frames import ChildEnded


def started(step: Step, now: Reading, child: str) -> None:
    """A subagent is at work."""
    key = f"{now.key}/{child}"
    if key not in step.state.children:
        step.set(children=with_entry(step.state.children, key, now.key))
        now.see(Began(turn=key, parent=now.key), Awoke(turn=key))


def ended(step: Step, frame: ChildEnded) -> None:
    """A subagent reported back; its summary is its text (C5). It may outlive its caller."""
    named = [key for key in step.state.children if key.endswith(f"/{frame.child}")]
    if not named:
        step.note("orphan subagent")
        return
    step.set(children=without(step.state.children, named[-1]))
    now = Reading(Turn(named[-1]))
    match frame.status:
        case "completed":
            speech.finish_as_runtime(now, frame.summary)
        case "interrupted":
            turns.interrupt(now)
        case _:
            turns.fail(now)
    step.seen += now.seen
