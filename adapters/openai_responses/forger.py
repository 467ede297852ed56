"""Events of the Responses API that were never recorded, for replays with faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from turnreel.adapters.fields import fields, text
from turnreel.adapters.forging import Forger, Retry, like, values
from turnreel.wire.units import JsonUnit, Unit

from . import builders
from .builders import Event

ENDS: Final = frozenset({"response.completed", "response.failed", "response.incomplete"})
BROKEN: Final = "server_error"


class ResponsesForger(Forger):
    """A response ends with one event, which holds it whole. Where events are numbered, forged ones
    go on counting.
    """

    dialect = "openai-responses"
    ids = frozenset({"id", "item_id", "call_id"})

    def terminal(self, unit: Unit) -> bool:
        match unit:
            case JsonUnit(value={"type": str(kind)}):
                return kind in ENDS
            case _:
                return False

    def second(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        return (_next(spoken, builders.completed(_response(spoken))),)

    def conflicting(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        response = _response(spoken)
        if any(value.get("type") == "response.completed" for value in values(spoken)):
            return (_next(spoken, builders.failed(response, BROKEN)),)
        return (_next(spoken, builders.completed(response)),)

    def error(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        return (_next(spoken, builders.refused(500, BROKEN)),)

    def retry(self, spoken: Sequence[Unit]) -> Retry:
        failed = _next(spoken, builders.failed(_response(spoken), BROKEN))
        return Retry(len(spoken), (failed,), "stream")


FORGER: Final = ResponsesForger()


def _response(spoken: Sequence[Unit]) -> str:
    names = [text(fields(value, "response"), "id") for value in values(spoken)]
    return next((name for name in names if name), "resp_0001")


def _next(spoken: Sequence[Unit], event: Event) -> Unit:
    """`event` behind the others, numbered if they are."""
    numbers = [
        number
        for value in values(spoken)
        if isinstance(number := value.get("sequence_number"), int)
    ]
    if numbers:
        event = {**event, "sequence_number": max(numbers) + 1}
    return like(spoken[-1], event)
