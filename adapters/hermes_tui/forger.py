"""Lines of the TUI gateway that were never recorded, for replays with faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from turnreel.adapters.fields import Fields, fields, text
from turnreel.adapters.forging import Forger, like, values
from turnreel.wire.units import JsonUnit, Unit

from . import builders


class TuiForger(Forger):
    """A turn ends with ``message.complete``, its status within."""

    dialect = "hermes-tui"
    ids = frozenset({"tool_id", "request_id"})

    def terminal(self, unit: Unit) -> bool:
        match unit:
            case JsonUnit(value={"params": {"type": "message.complete"}}):
                return True
            case _:
                return False

    def second(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        payload = fields(_ended(spoken), "payload")
        status = text(payload, "status") or "complete"
        return (self._line(spoken, builders.completed(text(payload, "text"), status)),)

    def conflicting(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        failed = text(fields(_ended(spoken), "payload"), "status") == "error"
        line = builders.completed("", "complete" if failed else "error")
        return (self._line(spoken, line),)

    def unknown(self, spoken: Sequence[Unit]) -> Unit:
        return self._line(spoken, builders.event("turnreel.unknown", {}))

    def _line(self, spoken: Sequence[Unit], line: Fields) -> Unit:
        """`line` in the session that was spoken of last."""
        told = [fields(value, "params") for value in values(spoken)]
        sessions = [name for params in told if (name := text(params, "session_id"))]
        params = {**fields(line, "params"), "session_id": (sessions or [builders.SESSION])[-1]}
        return like(spoken[-1], {**line, "params": params})


FORGER: Final = TuiForger()


def _ended(spoken: Sequence[Unit]) -> Fields:
    told = [fields(value, "params") for value in values(spoken)]
    ends = [params for params in told if params.get("type") == "message.complete"]
    return ends[-1] if ends else {}
