"""A run's commentary as it is being said, held against what was observed."""

from __future__ import annotations

from dataclasses import dataclass

from turnreel.lifecycle.events import AnyEvent, Commentary
from turnreel.lifecycle.observations import Ended

from .testimony import Message
from .watching import Native


@dataclass(frozen=True)
class SaidSoFar:
    """A message's text as readers have it after an event: where that came from, the messages of the
    run that said it, whether one of them was known as commentary by then, and whether it is first
    shown by the very frame that ends the run, without one that was.
    """

    number: int
    text: str
    messages: tuple[Message, ...]
    is_evident: bool
    is_flushed: bool


class Speaking:
    """Follows the commentary of one run. A copy of it goes on by itself."""

    def __init__(self, native: Native | None) -> None:
        self._native = native
        self._texts: dict[str, str] = {}

    def hear(self, event: AnyEvent) -> SaidSoFar | None:
        """What was said so far of the message that `event` is about; None for another event, for
        one that takes a message back, and where the run was not observed.
        """
        if not isinstance(event, Commentary) or self._native is None or event.retracted:
            return None
        told = self._native.testimony.get(event.run_id)
        if told is None:
            return None
        is_first = event.message_id not in self._texts
        text = self._texts.get(event.message_id, "")[: event.offset] + event.text
        self._texts = {**self._texts, event.message_id: text}
        number = max((ref.index for ref in event.evidence), default=0)
        messages = tuple(
            message
            for message in told.messages.values()
            if message.since <= number and any(text in version for version in message.versions)
        )
        is_evident = any(message.told_by <= number for message in messages)
        ends = any(isinstance(one, Ended) for one in self._native.observed_at(event))
        return SaidSoFar(number, text, messages, is_evident, is_first and ends and not is_evident)
