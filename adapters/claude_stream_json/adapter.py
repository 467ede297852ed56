"""Claude Code's stream-json to observations.

One step reads one frame and lets the module it concerns speak: `turns` (which turn), `messages`
(what was said), `tools` (what was called and asked), `results` (how it ended).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from turnreel.adapters.base import AdapterInfo, Arrival, Edge, Frame, Program
from turnreel.adapters.fields import text
from turnreel.lifecycle.observations import AnyObservation, CancelAsked, Noted
from turnreel.lifecycle.signals import AnySignal, CancelRequested, Exited, Message
from turnreel.wire.units import Json, JsonUnit, Unit

from . import messages, results, tools, turns
from .claims import CLAIMS
from .frames import (
    Acknowledged,
    Answer,
    Asks,
    Assistant,
    Begun,
    Compacted,
    Delta,
    Denied,
    Elicits,
    FellBack,
    Halted,
    InFrame,
    Interrupt,
    Joins,
    Known,
    Lifecycle,
    NoFallback,
    OutFrame,
    Progress,
    Prompt,
    Result,
    Retry,
    Started,
    Stop,
    StopTask,
    TaskEnded,
    TaskStarted,
    Unknown,
    User,
    Withdrawn,
)
from .grammar import KNOWN, read_out
from .host import read_in
from .state import Reading, State

INFO: Final = AdapterInfo(
    dialect="claude-stream-json",
    agent="claude",
    carrier="stdio",
    tier="primary",
    proven=("2.1.215", "2.1.332"),
    boundary_evidence=("system/init begins a turn", "result ends a turn"),
    limits=(
        "without partial messages a continued answer shows its last part only",
        "frames of a child agent are forwarded without partial messages",
        "a stdin message without a uuid, sent while a turn runs, shows only by the next init"
        " whether it became a turn of its own",
    ),
    retry_bound=10,
    program=Program(
        version_line="{} (Claude Code)",
        host_ids=(
            ("request_id",),
            (
                "uuid", "command_uuid", "user_message_uuid", "user_message_uuids",
                "begun_message_ids", "still_queued", "cancelled",
            ),
        ),
    ),
    claims=CLAIMS,
)  # fmt: skip


class ClaudeStreamJson:
    """The adapter. Its state is a `State`; it keeps nothing itself."""

    @property
    def info(self) -> AdapterInfo:
        """The dialect's declaration."""
        return INFO

    def begin(self) -> State:
        """The state before anything arrived."""
        return State()

    def step(self, state: State, arrival: Arrival) -> tuple[State, Sequence[AnyObservation]]:
        """The state after `arrival` and what it showed. Total; the same state object if nothing
        changed.
        """
        if isinstance(arrival, Edge):
            now = Reading(state)
            _edge(now, arrival.signal)
            return now.state, now.seen
        unit = arrival.unit
        match arrival.code:
            case "out" if isinstance(unit, JsonUnit):
                return _printed(state, unit.value)
            case "in":
                return _written(state, unit)
            case "eof":
                now = Reading(state)
                tools.hung_up(now)
                return now.state, now.seen
            case "out":
                return state, (Noted(turn="", what="unreadable line"),)
            case _:  # stderr is prose
                return state, ()

    def identity(self, frame: Frame) -> str | None:
        """A frame's uuid; a control frame's request id with its type (R2)."""
        value = frame.unit.value if isinstance(frame.unit, JsonUnit) else None
        if not isinstance(value, dict):
            return None
        match value:
            case {"uuid": str(uuid)}:
                return uuid
            case {"type": "control_response", "response": {"request_id": str(request)}}:
                return f"control_response {request}"
            case {
                "type": "control_request" | "control_cancel_request" as kind,
                "request_id": str(request),
            }:
                return f"{kind} {request}"
            case _:
                return None


ADAPTER: Final = ClaudeStreamJson()


def _printed(state: State, value: Json) -> tuple[State, Sequence[AnyObservation]]:
    if isinstance(value, list):  # --output-format json --verbose: all frames as one array
        seen: list[AnyObservation] = []
        for item in value:
            state, more = _printed(state, item)
            seen += more
        return state, seen
    if not isinstance(value, dict):
        return state, (Noted(turn="", what="not a frame"),)
    frame = read_out(value)
    if frame is KNOWN:
        return state, ()
    session = text(value, "session_id")
    if not isinstance(frame, Begun) and _foreign(state, session):
        return state, (Noted(turn="", what="frame of another session"),)
    now = Reading(state, session)
    _out(now, frame)
    return now.state, now.seen


def _foreign(state: State, session: str | None) -> bool:
    """Whether a frame names a session that no open turn and not the last ``init`` named; control
    frames name none.
    """
    if not session or not state.session or session == state.session:
        return False
    return all(turn.session != session for turn in state.turns)


def _written(state: State, unit: Unit) -> tuple[State, Sequence[AnyObservation]]:
    now = Reading(state)
    if not state.hosted:
        now.set(hosted=True)
    if isinstance(unit, JsonUnit) and isinstance(unit.value, dict):
        _in(now, read_in(unit.value))
    else:
        now.see(Noted(turn="", what="unreadable host line"))
    return now.state, now.seen


def _out(now: Reading, frame: OutFrame) -> None:
    match frame:
        case Begun():
            turns.begun(now, frame)
        case Joins():
            if (turn := now.current()) is not None:
                turns.joined(now, turn, frame.messages)
        case Started():
            messages.started(now, frame)
        case Delta():
            messages.delta(now, frame)
        case Stop():
            messages.stopped(now, frame)
        case Assistant():
            messages.said(now, frame)
        case User():
            tools.results(now, frame)
            if frame.synthetic:
                messages.asked(now, frame)
        case Result():
            results.ended(now, frame)
        case Retry():
            messages.retried(now, frame)
        case Progress():
            tools.progressed(now, frame)
        case Denied():
            tools.denied(now, frame)
        case FellBack():
            messages.fell_back(now, frame)
        case NoFallback() | Halted() | Compacted():
            messages.marked(now, frame)
        case TaskStarted():
            turns.task_started(now, frame)
        case TaskEnded():
            results.child_ended(now, frame)
        case Lifecycle():
            turns.moved(now, frame)
        case Asks():
            tools.asked(now, frame)
        case Elicits():
            tools.elicited(now, frame)
        case Withdrawn():
            tools.withdrawn(now, frame)
        case Acknowledged():
            _acknowledged(now, frame)
        case Known():
            pass
        case Unknown(what):
            now.see(Noted(turn="", what=what))
        case other:
            assert_never(other)


def _in(now: Reading, frame: InFrame) -> None:
    match frame:
        case Prompt(uuid):
            turns.prompted(now, uuid)
        case Interrupt():
            _interrupted(now)
        case StopTask(task):
            turns.stop_asked(now, task)
        case Answer():
            tools.answered(now, frame)
            if frame.interrupts:
                _interrupted(now)
        case Known():
            pass
        case Unknown(what):
            now.see(Noted(turn="", what=what))
        case other:
            assert_never(other)


def _edge(now: Reading, signal: AnySignal) -> None:
    match signal:
        case Message():
            turns.prompted(now, None)
        case CancelRequested():
            for turn in now.main():
                now.change(messages.own_up(now, turn), aborting=True)
        case Exited():
            turns.left(now)
        case _:
            pass


def _acknowledged(now: Reading, frame: Acknowledged) -> None:
    """The agent took an interrupt; where the host's side is not seen, this is its only sign."""
    turns.dismissed(now, frame.cancelled)
    if not now.state.hosted:
        _interrupted(now)


def _interrupted(now: Reading) -> None:
    """The host interrupts the turn that runs, and the child agents that it waits for."""
    turn = now.current()
    if turn is None:
        now.see(Noted(turn="", what="interrupt while idle"))
        return
    turn = now.change(messages.own_up(now, turn), aborting=True)
    now.see(CancelAsked(turn=turn.key))
    turns.children_cancelled(now, turn)
