"""Events of Hermes' responses that were never recorded, for replays with faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from turnreel.adapters.bodies import Event
from turnreel.adapters.fields import count, fields, text
from turnreel.adapters.forging import Forger, like, values
from turnreel.adapters.openai_responses.forger import ENDS
from turnreel.wire.units import JsonUnit, Unit

from .builders import RESPONSE, Stream


class HermesResponsesForger(Forger):
    """A response ends with one event. Events are numbered; forged ones go on counting."""

    dialect = "hermes-responses"
    ids = frozenset({"id", "item_id", "call_id"})

    def terminal(self, unit: Unit) -> bool:
        match unit:
            case JsonUnit(value={"type": str(kind)}):
                return kind in ENDS
            case _:
                return False

    def second(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        failed = _failed(spoken)
        return _next(spoken, Stream().failed("scripted") if failed else Stream().completed())

    def conflicting(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        failed = _failed(spoken)
        return _next(spoken, Stream().completed() if failed else Stream().failed("scripted"))


FORGER: Final = HermesResponsesForger()


def _failed(spoken: Sequence[Unit]) -> bool:
    return any(value.get("type") == "response.failed" for value in values(spoken))


def _next(spoken: Sequence[Unit], event: Event) -> tuple[Unit, ...]:
    """`event` behind the others, of the response that was spoken of."""
    said = values(spoken)
    names = [text(fields(value, "response"), "id") for value in said]
    name = next((name for name in names if name), RESPONSE)
    number = max((count(value, "sequence_number") or 0 for value in said), default=-1) + 1
    data = event.data if isinstance(event.data, dict) else {}
    shell = {**fields(data, "response"), "id": name}
    forged = {**data, "response": shell, "sequence_number": number}
    return (like(spoken[-1], forged, event.name),)
