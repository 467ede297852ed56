"""Chunks of the Chat Completions API that were never recorded, for replays with faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from turnreel.adapters.fields import items, text
from turnreel.adapters.forging import Forger, Retry, like, values
from turnreel.wire.units import JsonUnit, SseFraming, TextUnit, Unit

from . import builders
from .frames import DONE


class ChatForger(Forger):
    """An answer ends with a finish reason, the usage where it was asked for, and ``[DONE]``: these
    together are its terminal.
    """

    dialect = "openai-chat"
    ids = frozenset({"id"})

    def terminal(self, unit: Unit) -> bool:
        match unit:
            case TextUnit(text=said):
                return said == DONE
            case JsonUnit(value=dict() as value):
                choices = items(value, "choices")
                if not choices:
                    return "usage" in value and "choices" in value
                return any(text(choice, "finish_reason") for choice in choices)
            case _:
                return False

    def second(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        return _ended(spoken, "end_turn")

    def conflicting(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        refused = any(
            text(choice, "finish_reason") == "content_filter"
            for value in values(spoken)
            for choice in items(value, "choices")
        )
        return _ended(spoken, "end_turn" if refused else "refusal")

    def error(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        return (like(spoken[0], builders.error_body(500)),)

    def retry(self, spoken: Sequence[Unit]) -> Retry:
        return Retry(len(spoken), self.error(spoken), "stream")

    def unknown(self, spoken: Sequence[Unit]) -> Unit:
        return like(spoken[0], {"object": "turnreel.unknown"})


FORGER: Final = ChatForger()


def _ended(spoken: Sequence[Unit], stop: str) -> tuple[Unit, ...]:
    name = next((name for value in values(spoken) if (name := text(value, "id"))), "chatcmpl-0001")
    return like(spoken[0], builders.closing(name, stop)), TextUnit(DONE, SseFraming())
