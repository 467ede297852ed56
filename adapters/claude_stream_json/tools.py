"""Tool calls, the questions in front of them, and plans (T10, G7)."""

from __future__ import annotations

from msgspec.structs import replace

from turnreel.adapters.fields import items, text
from turnreel.adapters.working import with_entry, without
from turnreel.lifecycle import prompts
from turnreel.lifecycle.events import ActivityState, PlanItem, PlanState, Resolution
from turnreel.lifecycle.observations import Asked, Noted, Planned, Resolved, ToolMoved
from turnreel.wire.units import Json

from . import catalogue, turns
from .frames import (
    Answer,
    Asks,
    Called,
    Denied,
    Elicits,
    Progress,
    Returned,
    ToolResult,
    User,
    Withdrawn,
)
from .state import Gate, Reading, Tool, Turn

PLAN_STATES: dict[str, PlanState] = {
    "pending": "pending",
    "in_progress": "active",
    "completed": "done",
}


def called(now: Reading, turn: Turn, message: str, block: Called) -> None:
    """The model called a tool: it starts when its block is complete."""
    plan = _plan(block.arguments.get("todos")) if block.name == catalogue.PLAN_TOOL else ()
    now.set(tools=with_entry(now.state.tools, block.tool, Tool(turn.key, plan=plan)))
    now.see(
        ToolMoved(
            turn=turn.key,
            activity=block.tool,
            state="started",
            kind=catalogue.kind_of(block.name),
            name=catalogue.shown(block.name),
            message=message,
        )
    )


def returned(now: Reading, turn: Turn, block: Returned) -> None:
    """A server tool answered inside the message."""
    now.set(tools=without(now.state.tools, block.tool))
    state: ActivityState = "failed" if block.failed else "ok"
    now.see(ToolMoved(turn=turn.key, activity=block.tool, state=state))


def results(now: Reading, frame: User) -> None:
    """``user`` with tool results: each closes its tool, and first the question in front of it."""
    for result in frame.results:
        tool = now.state.tools.get(result.tool)
        if tool is None:
            now.see(Noted(turn="", what="orphan tool result"))
            continue
        _settle(now, result)
        now.set(tools=without(now.state.tools, result.tool))
        if tool.told:
            continue
        state = _outcome(result, now.turn(tool.turn))
        now.see(ToolMoved(turn=tool.turn, activity=result.tool, state=state))
        if tool.plan and state == "ok":
            now.see(Planned(turn=tool.turn, items=tool.plan))


def denied(now: Reading, frame: Denied) -> None:
    """The runtime blocked a tool by itself: no question, a declined activity (G7)."""
    tool = now.state.tools.get(frame.tool)
    if tool is not None and not tool.told:
        now.set(tools=with_entry(now.state.tools, frame.tool, replace(tool, told=True)))
        now.see(ToolMoved(turn=tool.turn, activity=frame.tool, state="declined"))


def progressed(now: Reading, frame: Progress) -> None:
    """A tool says that it is still at work."""
    tool = now.state.tools.get(frame.tool)
    if tool is not None and not tool.told:
        now.see(ToolMoved(turn=tool.turn, activity=frame.tool, state="progress"))


def asked(now: Reading, frame: Asks) -> None:
    """``can_use_tool``: the person is asked, by name of the tool and, for commands, of the
    program; questions are visible text.
    """
    tool = now.state.tools.get(frame.tool or "")
    turn = now.turn(tool.turn) if tool is not None else turns.current(now, None)
    if turn is None:
        return
    if frame.name == catalogue.QUESTION_TOOL:
        prompt, options = _question(frame.arguments.get("questions"))
        gate = Gate(turn.key, "question", frame.tool)
    else:
        prompt, options = _approval(frame), ()
        gate = Gate(turn.key, "approval", frame.tool)
    _open(now, frame.request, gate, prompt, options)


def elicited(now: Reading, frame: Elicits) -> None:
    """An MCP server or a dialog of the runtime asks the person."""
    turn = turns.current(now, None)
    if turn is not None:
        _open(now, frame.request, Gate(turn.key, frame.kind, None), frame.prompt, ())


def answered(now: Reading, frame: Answer) -> None:
    """The host answered on stdin."""
    gate = now.state.gates.get(frame.request)
    if gate is None:
        return
    match frame.verdict:
        case "allowed":
            resolve(now, frame.request, "approved" if gate.kind == "approval" else "answered")
        case "denied":
            resolve(now, frame.request, "declined")
        case "withdrawn":
            resolve(now, frame.request, "withdrawn")


def withdrawn(now: Reading, frame: Withdrawn) -> None:
    """The agent took its question back."""
    if frame.request in now.state.gates:
        resolve(now, frame.request, "withdrawn")


def hung_up(now: Reading) -> None:
    """The host closed stdin: nobody can answer what is still asked (G7)."""
    for request in now.state.gates:
        resolve(now, request, "withdrawn")


def resolve(now: Reading, request: str, resolution: Resolution) -> None:
    """Close an open question."""
    gate = now.state.gates[request]
    now.set(gates=without(now.state.gates, request))
    now.see(Resolved(turn=gate.turn, request=request, resolution=resolution))


def _open(now: Reading, request: str, gate: Gate, prompt: str, options: tuple[str, ...]) -> None:
    now.set(gates=with_entry(now.state.gates, request, gate))
    now.see(
        Asked(
            turn=gate.turn,
            request=request,
            kind=gate.kind,
            prompt=prompt,
            options=options,
            activity=gate.tool,
        )
    )


def _settle(now: Reading, result: ToolResult) -> None:
    """A tool returned while its question was open: say how it was answered if typed words do.

    Without the host's side and without words the result itself says it; with the host's side
    recorded nobody answered, and the lifecycle lets the gate expire.
    """
    for request, gate in now.state.gates.items():
        if gate.tool != result.tool:
            continue
        accepted: Resolution = "approved" if gate.kind == "approval" else "answered"
        match result.decision, result.source:
            case "accept", _:
                resolve(now, request, accepted)
            case "reject", str(source) if source.startswith("user"):
                resolve(now, request, "declined")
            case "reject", _:
                resolve(now, request, "withdrawn")
            case _ if not now.state.hosted and result.unrun is None:
                resolve(now, request, "declined" if result.failed else accepted)
            case _:
                now.set(gates=without(now.state.gates, request))
        return


def _outcome(result: ToolResult, turn: Turn | None) -> ActivityState:
    """T10: the dialect flags every error, so absence of the flag is success. A rejected tool was
    declined. One rejected without any decision was interrupted by the person; where the cancel
    itself was seen, the lifecycle says what that makes of a failed tool (T9).
    """
    if not result.failed:
        return "ok"
    if result.decision == "reject":
        return "declined"
    seen = turn is not None and turn.aborting
    return "cancelled" if result.unrun == "user-rejected" and not seen else "failed"


def _approval(frame: Asks) -> str:
    runs = frame.name in catalogue.COMMAND_TOOLS
    command = text(frame.arguments, "command") if runs else None
    return prompts.approval(catalogue.shown(frame.name), command)


def _question(value: Json) -> tuple[str, tuple[str, ...]]:
    """The visible text of the questions, and the labels of their options."""
    questions: list[str] = []
    labels: list[str] = []
    for item in value if isinstance(value, list) else []:
        if question := text(item, "question"):
            questions.append(question)
            labels += [
                label for option in items(item, "options") if (label := text(option, "label"))
            ]
    return "\n".join(questions) or catalogue.QUESTION_TOOL, tuple(labels)


def _plan(value: Json) -> tuple[PlanItem, ...]:
    steps: list[PlanItem] = []
    for item in value if isinstance(value, list) else []:
        match item:
            case {"content": str(step), "status": str(state)} if state in PLAN_STATES:
                steps.append(PlanItem(step, PLAN_STATES[state]))
    return tuple(steps)
