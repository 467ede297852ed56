"""Chunks of Hermes' chat completions that were never recorded, for replays with faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from turnreel.adapters.bodies import Event
from turnreel.adapters.fields import items, text
from turnreel.adapters.forging import Retry, like, values
from turnreel.adapters.openai_chat.forger import ChatForger
from turnreel.adapters.openai_chat.frames import DONE
from turnreel.adapters.steps import Unsayable
from turnreel.wire.units import SseFraming, TextUnit, Unit

from . import builders


class HermesChatForger(ChatForger):
    """Ends as the API it speaks; a failed turn says so in its last chunk."""

    dialect = "hermes-chat"

    def second(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        return _ended(spoken, builders.failed("scripted") if _failed(spoken) else FINISHED)

    def conflicting(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        return _ended(spoken, FINISHED if _failed(spoken) else builders.failed("scripted"))

    def error(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        raise Unsayable("hermes-chat tells of errors in the last chunk alone")

    def retry(self, spoken: Sequence[Unit]) -> Retry:
        raise Unsayable("hermes-chat tells nothing of retries")


FINISHED: Final = builders.finished()
FORGER: Final = HermesChatForger()


def _failed(spoken: Sequence[Unit]) -> bool:
    return any(
        text(choice, "finish_reason") not in (None, "stop")
        for value in values(spoken)
        for choice in items(value, "choices")
    )


def _ended(spoken: Sequence[Unit], event: Event) -> tuple[Unit, ...]:
    data = event.data if isinstance(event.data, dict) else {}
    name = next((name for value in values(spoken) if (name := text(value, "id"))), builders.ID)
    return like(spoken[0], {**data, "id": name}), TextUnit(DONE, SseFraming())
