"""Events of a run that were never recorded, for replays with faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from turnreel.adapters.bodies import Event
from turnreel.adapters.fields import text
from turnreel.adapters.forging import Forger, like, values
from turnreel.wire.units import JsonUnit, Unit

from .builders import RUN, Stream

ENDS: Final = frozenset({"run.completed", "run.failed", "run.cancelled"})


class RunsForger(Forger):
    """A run ends with one event that says how."""

    dialect = "hermes-runs"

    def terminal(self, unit: Unit) -> bool:
        match unit:
            case JsonUnit(value={"event": str(kind)}):
                return kind in ENDS
            case _:
                return False

    def second(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        stream = _stream(spoken)
        match _ended(spoken):
            case "run.failed":
                return _framed(spoken, stream.failed("scripted"))
            case "run.cancelled":
                return _framed(spoken, stream.cancelled())
            case _:
                return _framed(spoken, stream.completed(""))

    def conflicting(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        stream = _stream(spoken)
        if _ended(spoken) == "run.completed":
            return _framed(spoken, stream.failed("scripted"))
        return _framed(spoken, stream.completed(""))

    def unknown(self, spoken: Sequence[Unit]) -> Unit:
        return like(spoken[-1], {"event": "turnreel.unknown", "run_id": _stream(spoken).run})


FORGER: Final = RunsForger()


def _stream(spoken: Sequence[Unit]) -> Stream:
    names = [name for value in values(spoken) if (name := text(value, "run_id"))]
    return Stream(names[-1] if names else RUN)


def _ended(spoken: Sequence[Unit]) -> str:
    ends = [kind for value in values(spoken) if (kind := text(value, "event")) in ENDS]
    return ends[-1] if ends and ends[-1] else "run.completed"


def _framed(spoken: Sequence[Unit], event: Event) -> tuple[Unit, ...]:
    data = event.data if isinstance(event.data, dict) else {}
    return (like(spoken[-1], data, event.name),)
