"""Hermes' session stream to observations.

The stream calls every turn a success. What vouches for an answer are the transcript rows that
``run.completed`` carries: the last one is an assistant's, calls no tool and has the finish reason
``stop``. Anything else is a failure, whatever the text (C5).
"""

from __future__ import annotations

from typing import Final, assert_never

from turnreel.adapters.base import AdapterInfo, Frame
from turnreel.adapters.fields import count, text
from turnreel.adapters.hermes import gateway, literals, results, speech, tools, turns
from turnreel.adapters.hermes.gateway import VERSIONS, Surface
from turnreel.adapters.hermes.turns import Reading
from turnreel.wire.units import Json, JsonUnit

from .claims import CLAIMS
from .frames import (
    Answered,
    CallOver,
    Completed,
    Delta,
    Done,
    Failed,
    Started,
    ToolEnded,
    ToolStarted,
    Unknown,
    read,
)

INFO: Final = AdapterInfo(
    dialect="hermes-session",
    agent="hermes",
    carrier="http",
    tier="primary",
    proven=VERSIONS,
    boundary_evidence=(
        "tool.started",
        "tool.progress of _thinking ends a model call",
        "run.completed with the rows of the transcript",
    ),
    limits=(
        "how a tool ended is told by the last event only",
        "tools of one name close in the order of their starts",
        "a call of an unknown tool leaves no event",
        "retries of the provider leave no event",
        "an approval cannot be given: the runtime blocks the tool",
        "there is no stop and no replay; a lost stream has no receipt",
    ),
    claims=CLAIMS,
)


class HermesSession(Surface):
    """The adapter. Its state is a `gateway.State`; it keeps nothing itself."""

    info = INFO

    def identity(self, frame: Frame) -> str | None:
        """``run_id`` and ``seq`` (R2)."""
        value = frame.unit.value if isinstance(frame.unit, JsonUnit) else None
        run, number = text(value, "run_id"), count(value, "seq")
        return None if run is None or number is None else f"{run} {number}"

    def starts(self, method: str, path: str) -> bool:
        """A message to a session, streamed."""
        return method == "POST" and path.partition("?")[0].endswith("/chat/stream")

    def opens(self, frame: Frame, value: Json) -> bool:
        """``run.started`` begins a turn."""
        return gateway.event(frame.unit) == "run.started"

    def read(self, now: Reading, unit: JsonUnit) -> None:
        """What an event shows."""
        turns.awake(now)
        match read(gateway.event(unit), unit.value):
            case Delta(piece):
                speech.heard(now, piece)
            case CallOver():
                speech.complete(now)
            case ToolStarted(name):
                tools.called(now, name)
            case ToolEnded(name, failed=True):
                tools.returned(now, tools.first_open(now, name), "failed")
            case ToolEnded(name):
                tools.left(now, tools.first_open(now, name))
            case Answered(content):
                now.set(told=content)
            case Completed(messages):
                _completed(now, messages)
            case Failed(said):
                turns.fail(now, literals.code_in(said))
            case Started() | Done():
                pass
            case Unknown(what):
                gateway.unknown(now, what)
            case other:
                assert_never(other)


ADAPTER: Final = HermesSession()


def _completed(now: Reading, messages: list[Json]) -> None:
    content = now.turn.told.strip()
    _settle(now, messages)
    last = results.answers(messages)
    match text(last, "finish_reason") if last is not None else None:
        case "stop" if now.turn.pieces:
            speech.finish(now, content)
        case "stop" if content and (text(last, "content") or "").strip() == content:
            speech.finish_alone(now, content)
        case "length":
            turns.fail(now, "output_truncated")
        case _:
            speech.finish_without(now, content)


def _settle(now: Reading, messages: list[Json]) -> None:
    """The transcript says how each tool ended: rows and starts of one name are in one order."""
    rows = results.rows_of_tools(messages)
    for tool in now.turn.tools:
        row = next((row for row in rows if row[0] == tool.name), None)
        if row is not None:
            rows.remove(row)
            tools.settled(now, tool, results.outcome(row[1]))
