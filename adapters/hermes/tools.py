"""What a turn of Hermes called, and the questions in front of it (T10, G7)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from turnreel.lifecycle.events import ActivityState, GateKind, Resolution
from turnreel.lifecycle.observations import Asked, Noted, Resolved, ToolMoved

from . import catalogue, speech
from .pieces import NONE
from .turns import Gate, Reading, Tool, awake

GONE_LIMIT: Final = 64
"""Closed tools remembered by their ids: a result told again is no orphan."""


def called(now: Reading, name: str, tool: str | None = None) -> None:
    """A tool starts: the message before it is commentary (C1)."""
    speech.complete(now)
    number = now.turn.called + 1
    opened = Tool(tool or f"{now.key}/tool-{number}", name)
    before = now.turn.message if now.turn.pieces else None
    now.set(before=now.turn.text.strip() or now.turn.before)
    now.set(
        pieces=NONE, over=False, live=False, told="", called=number, tools=(*now.turn.tools, opened)
    )
    moved = ToolMoved(
        turn=now.key,
        activity=opened.id,
        state="started",
        kind=catalogue.kind_of(name),
        name=catalogue.shown(name),
        message=before,
    )
    now.see(moved)


def first_open(now: Reading, name: str) -> Tool | None:
    """The tool of this name that started first and is not closed: surfaces without ids close in
    the order of starts.
    """
    return next((t for t in now.turn.tools if t.is_open and t.name == name), None)


def open_with(now: Reading, tool: str) -> Tool | None:
    """The tool with this id, if it is not closed."""
    return next((t for t in now.turn.tools if t.is_open and t.id == tool), None)


def returned_as(now: Reading, tool: str, state: ActivityState) -> None:
    """The tool with this id closed. One that nobody saw start began all the same, after the message
    before it: that is commentary (C1), and the result an orphan (T10).
    """
    found = open_with(now, tool)
    if found is None and tool not in now.turn.gone and now.turn.pieces:
        speech.commented(now, now.turn.text)
    returned(now, found, state)


def returned(now: Reading, tool: Tool | None, state: ActivityState) -> None:
    """A tool closed and is forgotten; one that never started is counted."""
    awake(now)
    if tool is None:
        now.see(Noted(turn="", what="orphan tool result"))
        return
    gone = (*now.turn.gone, tool.id)[-GONE_LIMIT:]
    now.set(tools=tuple(t for t in now.turn.tools if t is not tool), gone=gone)
    _close(now, tool, state)


def left(now: Reading, tool: Tool | None) -> None:
    """A tool closed, and how is told later: it is kept until then (T10)."""
    awake(now)
    if tool is None:
        now.see(Noted(turn="", what="orphan tool result"))
        return
    closed = replace(tool, is_open=False)
    now.set(tools=tuple(closed if t is tool else t for t in now.turn.tools))
    _close(now, tool, "unknown")


def settled(now: Reading, tool: Tool, state: ActivityState) -> None:
    """A typed record says how a tool ended that had closed before (T10)."""
    if state != "unknown":
        _close(now, tool, state)


def asked(
    now: Reading,
    kind: GateKind,
    prompt: str,
    options: tuple[str, ...],
    request: str | None = None,
    asks: str = "",
) -> None:
    """The runtime asks the person, before the tool that started last. Asked again before it was
    answered it is the same question.
    """
    awake(now)
    if asks and any(gate.asks == asks for gate in now.turn.gates):
        now.see(Noted(turn="", what="gate asked again"))
        return
    number = now.turn.asked + 1
    gate = Gate(request or f"{now.key}/ask-{number}", kind, asks)
    now.set(asked=number, gates=(*now.turn.gates, gate))
    now.see(
        Asked(
            turn=now.key,
            request=gate.request,
            kind=kind,
            prompt=prompt,
            options=options,
            activity=_behind(now, kind),
        )
    )


def resolve(now: Reading, gate: Gate, resolution: Resolution) -> None:
    """A question was answered, or taken back."""
    now.set(gates=tuple(g for g in now.turn.gates if g is not gate))
    now.see(Resolved(turn=now.key, request=gate.request, resolution=resolution))


def _close(now: Reading, tool: Tool, state: ActivityState) -> None:
    now.see(ToolMoved(turn=now.key, activity=tool.id, state=state))


def _behind(now: Reading, kind: GateKind) -> str | None:
    """The tool behind a question: the last that started and asks such questions."""
    waiting = [t for t in now.turn.tools if t.is_open]
    wanted = "question" if kind == "question" else "command"
    fitting = [t for t in waiting if catalogue.kind_of(t.name) == wanted] or waiting
    return fitting[-1].id if fitting else None
