"""Events of the Messages API that were never recorded, for replays with faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from turnreel.adapters.fields import fields, text
from turnreel.adapters.forging import Forger, Retry, like, values
from turnreel.wire.units import JsonUnit, Unit

from . import builders

OVERLOADED: Final = "overloaded_error"


class AnthropicForger(Forger):
    """A message ends with ``message_delta`` and ``message_stop``; only the latter is its terminal.
    Its events have no identity but the message's own.
    """

    dialect = "anthropic-messages"
    ids = frozenset({"id", "tool_use_id"})

    def terminal(self, unit: Unit) -> bool:
        match unit:
            case JsonUnit(value={"type": "message_stop"}):
                return True
            case _:
                return False

    def second(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        return _ended(spoken[-1], _stop(spoken))

    def conflicting(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        return _ended(spoken[-1], "end_turn" if _stop(spoken) == "refusal" else "refusal")

    def error(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        return (like(spoken[-1], builders.error(OVERLOADED)),)

    def retry(self, spoken: Sequence[Unit]) -> Retry:
        return Retry(len(spoken), self.error(spoken), "stream")

    def ping(self, spoken: Sequence[Unit]) -> Unit:
        return like(spoken[-1], builders.ping())


FORGER: Final = AnthropicForger()


def _ended(template: Unit, stop: str) -> tuple[Unit, ...]:
    return like(template, builders.message_delta(stop)), like(template, builders.message_stop())


def _stop(spoken: Sequence[Unit]) -> str:
    """Why the model stopped."""
    stops = [
        text(fields(value, "delta"), "stop_reason")
        for value in values(spoken)
        if value.get("type") == "message_delta"
    ]
    return next((stop for stop in reversed(stops) if stop), "end_turn")
