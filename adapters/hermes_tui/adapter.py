"""Hermes' TUI gateway to observations.

``message.complete`` ends a turn and its status is honest but for answers that never came: what it
calls complete is an answer only if its text was streamed after the last tool (C5).
"""

from __future__ import annotations

from typing import Final, assert_never

from turnreel.adapters.base import AdapterInfo, Program
from turnreel.adapters.fields import Fields, fields, text
from turnreel.adapters.hermes import approvals, literals, results, speech, tools, turns
from turnreel.adapters.hermes.gateway import VERSIONS
from turnreel.adapters.hermes.pieces import NONE
from turnreel.adapters.hermes.sessions import Sessions, Step
from turnreel.adapters.hermes.turns import Reading, Turn
from turnreel.lifecycle.events import Resolution
from turnreel.lifecycle.observations import Planned, Retracted
from turnreel.wire.units import Json

from . import children
from .claims import CLAIMS
from .frames import (
    Approval,
    Began,
    Calling,
    ChildEnded,
    ChildStarted,
    Completed,
    Credential,
    Delta,
    Event,
    Expired,
    Failed,
    Interim,
    Known,
    Question,
    Reply,
    ToolEnded,
    ToolStarted,
    Unknown,
    read_event,
    read_reply,
)
from .host import Answer, Approve, Interrupt, Other, Submit, read_request

INFO: Final = AdapterInfo(
    dialect="hermes-tui",
    agent="hermes",
    carrier="stdio",
    tier="primary",
    proven=VERSIONS,
    boundary_evidence=(
        "message.start, message.complete",
        "tool.generating and message.interim mark commentary",
        "tool.start",
    ),
    limits=(
        "an answer that was not streamed cannot be vouched for",
        "events have no identity: a delta delivered twice shows until the whole text corrects it",
        "retries of the provider leave no event",
        "subagents were read in the program's source, not recorded",
    ),
    claims=CLAIMS,
    program=Program(calls="json-rpc"),
)


class HermesTui(Sessions):
    """The adapter. Its state is a `sessions.State`; it keeps nothing itself."""

    info = INFO

    def printed(self, now: Step, value: Fields) -> None:
        """What a line of the gateway shows."""
        _printed(now, value)

    def written(self, now: Step, value: Json) -> None:
        """What a line of the client asks for."""
        now.heard_host()
        _asked(now, value)


ADAPTER: Final = HermesTui()


def _printed(step: Step, value: dict[str, Json]) -> None:
    reply = read_reply(value)
    if reply is not None:
        _replied(step, reply)
        return
    params = fields(value, "params")
    event = read_event(text(params, "type") or "", fields(params, "payload"))
    session = text(params, "session_id") or ""
    turn = step.state.turns.get(session)
    match event:
        case Known():
            pass
        case Unknown(what):
            step.note(f"event {what}")
        case Began():
            _began(step, session, turn)
        case ChildEnded():
            children.ended(step, event)
        case _ if turn is not None and turn.awake:
            now = Reading(turn)
            _event(step, now, event, session)
            step.keep(session, now)
        case _:
            step.note("event of no open turn")


def _event(step: Step, now: Reading, event: Event, session: str) -> None:
    match event:
        case Delta(piece):
            speech.heard(now, piece)
        case Calling():
            speech.announced(now)
        case Interim(said):
            speech.commented(now, said)
        case ToolStarted(tool, name):
            tools.called(now, name, tool)
        case ToolEnded(tool, result, todos):
            tools.returned_as(now, tool, results.outcome(result))
            if plan := results.plan(todos):
                now.see(Planned(turn=now.key, items=plan))
        case Approval(command, choices):
            tools.asked(now, "approval", approvals.prompt(command), choices, asks=command)
        case Question(request, question, choices):
            tools.asked(now, "question", question, choices, request, asks=request)
        case Credential(request, kind):
            tools.asked(now, "approval", kind, (), request, asks=request)
        case Expired(request):
            _answered(now, request, "expired")
        case Completed(said, status):
            _completed(step, now, said, status, session)
        case Failed(said):
            turns.fail(now, literals.code_in(said))
        case ChildStarted(child):
            children.started(step, now, child)
        case Began() | ChildEnded() | Known() | Unknown():
            pass
        case other:
            assert_never(other)


def _completed(step: Step, now: Reading, said: str, status: str, session: str) -> None:
    whole, turn = said.strip(), now.turn
    match status:
        case "complete" if turn.pieces and turn.pieces.add_up_to(whole):
            now.set(pieces=NONE.plus(whole))
            speech.finish(now, whole)
        case "complete" if turn.pieces:
            speech.finish(now, whole)
        case "complete" if whole and whole == turn.told.strip():  # the answer came as an interim
            now.see(Retracted(turn=now.key, message=turn.message))
            speech.finish_alone(now, whole)
        case "complete":
            speech.finish_without(now, whole)
        case "interrupted" if turn.cancelling or step.waits(session) or not step.state.hosted:
            turns.interrupt(now)  # by the client, or by the person's next message (T7)
        case "interrupted":
            turns.fail(now, "incomplete")
        case _:
            turns.fail(now, literals.code_in(whole))


def _began(step: Step, session: str, turn: Turn | None) -> None:
    if turn is not None and turn.awake and not (turn.messages or turn.called):
        step.note("turn began again")
        return
    if turn is not None and not turn.awake:
        now = Reading(turn)
    else:
        step.next_prompt(session)
        now = step.open()
    turns.awake(now)
    step.keep(session, now)


def _asked(step: Step, value: Json) -> None:
    match read_request(value):
        case Submit(request, session):
            step.submit(session, request)
        case Interrupt(session):
            step.cancel(session)
        case Approve(session, choice, everything) if session in step.state.turns:
            now = Reading(step.state.turns[session])
            waiting = [gate for gate in now.turn.gates if gate.kind == "approval"]
            for gate in waiting if everything else waiting[:1]:
                tools.resolve(now, gate, approvals.resolution(choice))
            step.keep(session, now)
        case Answer(request):
            for session, turn in step.state.turns.items():
                now = Reading(turn)
                _answered(now, request, None)
                step.keep(session, now)
        case Approve() | Other():
            pass
        case unread:
            assert_never(unread)


def _answered(now: Reading, request: str, resolution: Resolution | None) -> None:
    for gate in now.turn.gates:
        if gate.request == request:
            given: Resolution = "answered" if gate.kind == "question" else "approved"
            tools.resolve(now, gate, resolution or given)


def _replied(step: Step, reply: Reply) -> None:
    """The gateway took a prompt, queued it, put it into the turn that runs, or refused it."""
    session = step.answered(reply.request)
    turn = step.state.turns.get(session) if session is not None else None
    if session is None:
        if reply.refused or reply.status == "steered":
            step.joined(reply.request)
    elif reply.refused and turn is not None and not turn.awake:
        now = Reading(turn)
        turns.refuse(now, None)
        step.keep(session, now)
