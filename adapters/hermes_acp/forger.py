"""Lines of Hermes over ACP that were never recorded, for replays with faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from turnreel.adapters.fields import Fields, fields, text
from turnreel.adapters.forging import Forger, like, values
from turnreel.wire.units import JsonUnit, Unit

from . import builders


class AcpForger(Forger):
    """A turn ends with the answer to its prompt; an answer comes under its request's id."""

    dialect = "hermes-acp"
    ids = frozenset({"toolCallId"})

    def terminal(self, unit: Unit) -> bool:
        match unit:
            case JsonUnit(value={"result": {"stopReason": str()}}):
                return True
            case _:
                return False

    def second(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        ended = _ended(spoken)
        stop = text(fields(ended, "result"), "stopReason") or "end_turn"
        return (like(spoken[-1], {**builders.ended("", stop), "id": ended.get("id")}),)

    def conflicting(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        return (like(spoken[-1], {**builders.failed(""), "id": _ended(spoken).get("id")}),)

    def unknown(self, spoken: Sequence[Unit]) -> Unit:
        told = [fields(value, "params") for value in values(spoken)]
        sessions = [name for params in told if (name := text(params, "sessionId"))]
        session = (sessions or [builders.SESSION])[-1]
        return like(spoken[-1], builders.update("turnreel_unknown", {}, session))


FORGER: Final = AcpForger()


def _ended(spoken: Sequence[Unit]) -> Fields:
    ends = [value for value in values(spoken) if "stopReason" in fields(value, "result")]
    return ends[-1] if ends else {}
