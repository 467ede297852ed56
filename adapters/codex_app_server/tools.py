"""What the agent did and asked: items that are activities, requests to the host, plans (T9, T10,
G7).
"""

from __future__ import annotations

from typing import Final

from turnreel.lifecycle.events import ActivityState, PlanItem, Resolution
from turnreel.lifecycle.observations import Asked, Planned, Resolved, ToolMoved

from . import messages, turns
from .frames import Answer, Asks, Child, Progress, Settled, Steps, Tool
from .state import Gate, Reading, Turn

CHILD_ENDS: Final[dict[str, ActivityState]] = {"completed": "ok", "interrupted": "cancelled"}
"""``kind`` of a child's activity that says that its work is over."""


def moved(now: Reading, turn: Turn, tool: Tool, done: bool) -> None:
    """An item that is an activity started or completed."""
    turns.spawned(now, turn.thread, tool.children)
    if not done:
        turn = messages.answers(now, turn)
        now.change(turn, acted=True)
        now.see(
            ToolMoved(
                turn=turn.key, activity=tool.id, state="started", kind=tool.kind, name=tool.name
            )
        )
        return
    _settle(now, tool)
    now.see(ToolMoved(turn=turn.key, activity=tool.id, state=tool.state))


def child(now: Reading, turn: Turn, item: Child) -> None:
    """A child agent was set to work, or its work is over. It is an activity of the turn under the
    id of its thread; how its own turn ended closes it as well (`results`).
    """
    turns.spawned(now, turn.thread, (item.thread,))
    if item.kind in CHILD_ENDS:
        now.see(ToolMoved(turn=turn.key, activity=item.thread, state=CHILD_ENDS[item.kind]))
        return
    now.change(messages.answers(now, turn), acted=True)
    now.see(
        ToolMoved(
            turn=turn.key,
            activity=item.thread,
            state="started",
            kind="subagent",
            name="subAgentActivity",
        )
    )


def progressed(now: Reading, turn: Turn, frame: Progress) -> None:
    """An activity is at work."""
    now.see(ToolMoved(turn=turn.key, activity=frame.item, state="progress"))


def planned(now: Reading, turn: Turn, frame: Steps) -> None:
    """The plan as it stands."""
    now.see(Planned(turn=turn.key, items=frame.items))


def proposed(now: Reading, turn: Turn, text: str) -> None:
    """The plan that a turn in plan mode proposes: one step, as nothing in its prose is parsed."""
    if text.strip():
        now.change(messages.answers(now, turn), acted=True)
        now.see(Planned(turn=turn.key, items=(PlanItem(text.strip(), "pending"),)))


def asked(now: Reading, turn: Turn, frame: Asks) -> None:
    """The agent waits for its host's answer."""
    gate = Gate(turn.key, frame.kind, frame.item)
    now.set(gates={**now.state.gates, frame.request: gate})
    now.see(
        Asked(
            turn=turn.key,
            request=frame.request,
            kind=frame.kind,
            prompt=frame.prompt,
            options=frame.options,
            activity=frame.item if frame.kind == "approval" else None,
        )
    )


def answered(now: Reading, frame: Answer) -> None:
    """The host answered; a decision that also ends the turn is a cancel request (T7)."""
    gate = now.state.gates.get(frame.request)
    if gate is None:
        return
    match frame.verdict:
        case "accepted":
            _resolve(now, frame.request, _accepted(gate))
        case verdict:
            _resolve(now, frame.request, verdict)
    turn = now.turn(gate.turn)
    if frame.stops and turn is not None:
        turns.cancel(now, turn)


def settled(now: Reading, frame: Settled) -> None:
    """The agent no longer waits, and no answer was seen. Behind an approval the item's own state
    will tell; a question that the host's side shows unanswered expired, or was taken back by a
    cancel.
    """
    gate = now.state.gates.get(frame.request)
    if gate is None or gate.kind == "approval":
        return
    turn = now.turn(gate.turn)
    if not now.state.hosted:
        _resolve(now, frame.request, "answered")
    elif turn is not None and turn.aborting:
        _resolve(now, frame.request, "withdrawn")
    else:
        _resolve(now, frame.request, "expired")


def hung_up(now: Reading) -> None:
    """The host closed stdin: nobody can answer what is still asked (G7)."""
    for request in now.state.gates:
        _resolve(now, request, "withdrawn")


def _settle(now: Reading, tool: Tool) -> None:
    """An item completed while its approval was open. Where the host's side is not recorded its
    state tells the answer; where it is, nobody answered, and the lifecycle lets the gate expire.
    """
    for request, gate in now.state.gates.items():
        if gate.item != tool.id or gate.kind != "approval":
            continue
        if now.state.hosted:
            now.set(gates={k: g for k, g in now.state.gates.items() if k != request})
        elif tool.state == "declined":
            _resolve(now, request, "declined")
        else:
            ran = tool.ran or tool.state == "ok"
            _resolve(now, request, "approved" if ran else "withdrawn")


def _accepted(gate: Gate) -> Resolution:
    return "approved" if gate.kind == "approval" else "answered"


def _resolve(now: Reading, request: str, resolution: Resolution) -> None:
    gate = now.state.gates[request]
    now.set(gates={k: g for k, g in now.state.gates.items() if k != request})
    now.see(Resolved(turn=gate.turn, request=request, resolution=resolution))
