"""C6: what a final is made of."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.testimony import Message, Testimony
from turnreel.conformance.watching import AnyTerminal, Watch
from turnreel.lifecycle.events import Final


class Checker(Watch):
    """What a final is made of."""

    clause = "C6"
    sentence = (
        "A final is one message from its last activity on, behind the segments that the runtime "
        "kept, or a text that the terminal names; a text named as the answer's end is its end."
    )
    reads = "native"

    def ended(self, terminal: AnyTerminal) -> Iterator[str]:
        told = self.native.testimony.get(terminal.run_id) if self.native is not None else None
        if told is None or not isinstance(terminal, Final) or not terminal.text:
            return
        if terminal.text not in _answers(told):
            yield "the final is no message's text"
        if told.tails and not terminal.text.endswith(told.tails[-1][1].strip()):
            yield "the final does not end as its terminal says"


def _answers(told: Testimony) -> set[str]:
    """Every text that could be the answer by what was said alone."""
    texts = {text.strip() for _, text, _ in told.named}
    segments: list[str] = []
    for message in told.messages.values():
        for ending in message.endings():
            texts.add(ending.strip())
            texts |= {"".join((*segments[at:], ending)).strip() for at in range(len(segments))}
        if message.segment:
            segments.append(_whole(message))
    return texts


def _whole(message: Message) -> str:
    return next((text for text in reversed(message.versions) if text), "")
