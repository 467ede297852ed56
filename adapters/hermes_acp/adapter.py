"""Hermes' ACP to observations.

The answer to ``session/prompt`` ends a turn. It says ``end_turn`` for failed turns as well, but
only a turn that the model answered has ``usage``. Within a turn the text is one: what stands before
a tool is commentary, what stands after the last one is the answer (C8).
"""

from __future__ import annotations

from typing import Final, assert_never

from turnreel.adapters.base import AdapterInfo, Program
from turnreel.adapters.fields import Fields
from turnreel.adapters.hermes import approvals, literals, speech, tools, turns
from turnreel.adapters.hermes.gateway import VERSIONS
from turnreel.adapters.hermes.sessions import Sessions, Step
from turnreel.adapters.hermes.turns import Reading
from turnreel.lifecycle.events import ActivityState, Resolution
from turnreel.lifecycle.observations import Planned
from turnreel.wire.units import Json

from .claims import CLAIMS
from .frames import (
    Answer,
    Asks,
    Cancel,
    Delta,
    Ended,
    Known,
    Other,
    Plans,
    Printed,
    Prompt,
    ToolEnded,
    ToolStarted,
    Unknown,
    read_in,
    read_out,
    session_of,
)

INFO: Final = AdapterInfo(
    dialect="hermes-acp",
    agent="hermes",
    carrier="stdio",
    tier="secondary",
    proven=VERSIONS,
    boundary_evidence=("tool_call", "the answer to session/prompt, with usage"),
    limits=(
        "which text is the answer is told by its place alone",
        "a call of an unknown tool leaves no update",
        "a text chunk delivered twice is told twice: updates have no identity",
        "retries of the provider leave no update",
        "a prompt sent while a turn runs is taken to join it",
    ),
    repeats_text=True,
    claims=CLAIMS,
    program=Program(calls="json-rpc"),
)

ENDS: Final[dict[str, ActivityState]] = {"completed": "ok", "failed": "failed"}
"""``status`` of a tool call; any other is progress."""

OPTIONS: Final[dict[str, Resolution]] = {
    "allow_once": "approved",
    "allow_session": "approved",
    "allow_always": "approved",
    "deny": "declined",
    "deny_always": "declined",
}
"""``optionId`` of an answer; any other is none (G7)."""


class HermesAcp(Sessions):
    """The adapter. Its state is a `sessions.State`; it keeps nothing itself."""

    info = INFO

    def printed(self, now: Step, value: Fields) -> None:
        """What a line of the agent shows."""
        _printed(now, session_of(value), read_out(value))

    def written(self, now: Step, value: Json) -> None:
        """What a line of the client asks for."""
        now.heard_host()
        _written(now, session_of(value), value)


ADAPTER: Final = HermesAcp()


def _printed(step: Step, session: str, message: Printed) -> None:
    if isinstance(message, Ended):
        session = step.answered(message.request) or ""
        step.joined(message.request)
    turn = step.state.turns.get(session)
    match message:
        case Known():
            pass
        case Unknown(what):
            step.note(what)
        case _ if turn is not None:
            now = Reading(turn)
            _event(now, message)
            step.keep(session, now)
        case Ended():
            pass  # the answer to another request
        case _:  # the history of a session that was loaded (R6)
            step.note("update outside a turn")


def _event(now: Reading, message: Printed) -> None:
    match message:
        case Delta(piece):
            speech.heard(now, piece)
        case ToolStarted(tool, name):
            tools.called(now, name, tool or None)
        case ToolEnded(tool, status) if status in ENDS:
            tools.returned_as(now, tool, ENDS[status])
        case Plans(items) if items:
            now.see(Planned(turn=now.key, items=items))
        case Asks(request, command, options):
            tools.asked(now, "approval", approvals.prompt(command), options, f"ask {request}")
        case Ended():
            _ended(now, message)
        case ToolEnded() | Plans() | Known() | Unknown():
            pass
        case other:
            assert_never(other)


def _ended(now: Reading, frame: Ended) -> None:
    match frame.stop:
        case "end_turn" if frame.counted:
            speech.finish(now, confidence="positional")
        case "end_turn":
            turns.fail(now, literals.code_in(now.turn.text.strip()) or "missing_final")
        case "cancelled" if now.turn.cancelling:
            turns.interrupt(now)
        case "cancelled":
            turns.fail(now, "incomplete")
        case "max_tokens":
            turns.fail(now, "output_truncated")
        case "max_turn_requests":
            turns.fail(now, "max_turns")
        case "refusal" if not now.turn.awake:  # no such session
            turns.refuse(now, None)
        case "refusal":
            turns.fail(now, "refused")
        case _ if frame.failed and not now.turn.awake:
            turns.refuse(now, None)
        case _:
            turns.fail(now, "unknown")


def _written(step: Step, session: str, value: Json) -> None:
    match read_in(value):
        case Prompt(request):
            step.submit(session, request)
        case Cancel():
            step.cancel(session)
        case Answer(request, option):
            _answered(step, f"ask {request}", OPTIONS.get(option or "", "withdrawn"))
        case Other():
            pass
        case unread:
            assert_never(unread)


def _answered(step: Step, request: str, resolution: Resolution) -> None:
    for session, turn in step.state.turns.items():
        now = Reading(turn)
        for gate in turn.gates:
            if gate.request == request:
                tools.resolve(now, gate, resolution)
        step.keep(session, now)
