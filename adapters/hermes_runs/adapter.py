"""Hermes' runs to observations.

``run.completed`` also ends turns without an answer. What vouches for one is that its text was
streamed after the last tool and that the model call which said it is known to have ended: the
end-of-call marker is missing where an answer was cut.
"""

from __future__ import annotations

import re
from typing import Final, assert_never

from msgspec.structs import replace

from turnreel.adapters.base import AdapterInfo, Frame
from turnreel.adapters.fields import count, text
from turnreel.adapters.hermes import approvals, gateway, literals, speech, tools, turns
from turnreel.adapters.hermes.gateway import VERSIONS, Seen, State, Surface, kept, refusal
from turnreel.adapters.hermes.turns import Reading
from turnreel.lifecycle.events import Code, Outcome
from turnreel.lifecycle.observations import Receipted
from turnreel.wire.units import Json, JsonUnit

from .claims import CLAIMS
from .frames import (
    Asks,
    CallOver,
    Cancelled,
    Completed,
    Delta,
    Failed,
    Responded,
    Status,
    ToolEnded,
    ToolStarted,
    Unknown,
    read,
)

INFO: Final = AdapterInfo(
    dialect="hermes-runs",
    agent="hermes",
    carrier="http",
    tier="primary",
    proven=VERSIONS,
    boundary_evidence=(
        "tool.started",
        "reasoning.available ends a model call",
        "run.completed, run.failed, run.cancelled",
    ),
    limits=(
        "an answer that was not streamed cannot be vouched for",
        "tools of one name close in the order of their starts",
        "a call of an unknown tool leaves no event",
        "retries of the provider leave no event",
        "a clarifying question cannot be answered here and opens no gate",
        "events taken by another subscriber are lost",
    ),
    claims=CLAIMS,
)

_EVENTS: Final = re.compile(r"/v1/runs/([^/?]+)/events")
_RUNS: Final = re.compile(r"/v1/runs/?")


class HermesRuns(Surface):
    """The adapter. Turns are named by the native run id, whichever exchange tells of them."""

    info = INFO

    def identity(self, frame: Frame) -> str | None:
        """``run_id``, ``event`` and ``timestamp``: events have no number, but their time has the
        clock's full resolution (R2).
        """
        value = frame.unit.value if isinstance(frame.unit, JsonUnit) else None
        match value:
            case {"run_id": str(run), "event": str(event), "timestamp": float(at)}:
                return f"{run} {event} {at!r}"
            case _:
                return None

    def starts(self, method: str, path: str) -> bool:
        """A request that starts a run, or listens to one."""
        bare = path.partition("?")[0]
        return bool(method == "POST" and _RUNS.fullmatch(bare)) or bool(_EVENTS.fullmatch(bare))

    def key(self, frame: Frame, path: str | None = None) -> str | None:
        """The run id that the event carries."""
        return text(frame.unit.value, "run_id") if isinstance(frame.unit, JsonUnit) else None

    def opens(self, frame: Frame, value: Json) -> bool:
        """Any event of a run, and the answer to the request that started it."""
        return text(value, "event") is not None or text(value, "status") == "started"

    def read(self, now: Reading, unit: JsonUnit) -> None:
        """What an event shows, or the answer to another request about the run."""
        if text(unit.value, "event") is not None:
            turns.awake(now)
        match read(unit.value):
            case Delta(piece):
                speech.heard(now, piece)
            case CallOver():
                speech.complete(now)
            case ToolStarted(name):
                tools.called(now, name)
            case ToolEnded(name, failed):
                tools.returned(now, tools.first_open(now, name), "failed" if failed else "ok")
            case Asks(command, choices):
                tools.asked(now, "approval", approvals.prompt(command), choices)
            case Responded(choice) if now.turn.gates:
                tools.resolve(now, now.turn.gates[0], approvals.resolution(choice))
            case Completed(output):
                _completed(now, output)
            case Failed(said):
                turns.fail(now, literals.code_in(said))
            case Cancelled() if now.turn.cancelling:
                turns.interrupt(now)
            case Cancelled():
                turns.fail(now, "incomplete")
            case Responded():
                gateway.unknown(now, "answer to no question")
            case Status() as status:
                _stands(now, status)
            case Unknown(""):
                pass
            case Unknown(what):
                gateway.unknown(now, what)
            case other:
                assert_never(other)

    def _request(self, state: State, frame: Frame, value: Json) -> Seen:
        if not self.starts(text(value, "method") or "", text(value, "path") or ""):
            return state, ()
        found = _EVENTS.fullmatch((text(value, "path") or "").partition("?")[0])
        asked = {**state.asked, frame.exchange or 0: found[1] if found else ""}
        return replace(state, asked=asked), ()

    def _response(self, state: State, frame: Frame, value: Json) -> Seen:
        number = frame.exchange or 0
        run, status = state.asked.get(number), count(value, "status") or 0
        if run is None:
            return state, ()
        rest = {n: key for n, key in state.asked.items() if n != number}
        state = replace(state, asked=rest)
        if run and status < 400:
            return (state, ()) if run in state.turns else kept(state, turns.begin(run))
        if run or status < 400:  # nothing to listen to; or the answer will name the run
            return state, ()
        now = turns.begin(str(number))
        turns.refuse(now, refusal(status))
        return kept(state, now)


ADAPTER: Final = HermesRuns()


def _completed(now: Reading, output: str) -> None:
    if now.turn.over and output.strip():
        speech.finish(now, output)
    else:
        speech.finish_without(now, output)


def _stands(now: Reading, status: Status) -> None:
    """How the run ended, for one whose stream did not tell (O5). What ends a run without an answer
    is the same as in the stream.
    """
    match status.status:
        case "completed" if _vouches(now, status):
            _received(now, "completed", status.output.strip())
        case "completed":
            _received(now, "failed", code=literals.code_in(status.output) or "missing_final")
        case "failed":
            _received(now, "failed", code=literals.code_in(status.error))
        case "cancelled":
            _received(now, "interrupted")


def _vouches(now: Reading, status: Status) -> bool:
    """Whether the output is an answer: the model's own, begun as the stream had begun it, and not
    its comment before a tool, which the runtime repeats where no answer came.
    """
    told, shown = status.output.strip(), now.turn.text.strip()
    if not told or not status.tokens or literals.is_no_reply(told):
        return False
    return told.startswith(shown) and told != now.turn.before


def _received(
    now: Reading, outcome: Outcome, text: str | None = None, code: Code | None = None
) -> None:
    now.see(Receipted(turn=now.key, outcome=outcome, text=text, code=code))
