"""C9: texts have no white space around them."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import AnyTerminal, Watch
from turnreel.lifecycle.events import AnyEvent, Commentary, Final


class Checker(Watch):
    """Texts have no white space around them."""

    clause = "C9"
    sentence = (
        "A finished message and a final have no white space at either end, and a finished "
        "message has text."
    )

    def begin(self) -> None:
        self.texts: dict[str, str] = {}

    def told(self, event: AnyEvent) -> Iterator[str]:
        if not isinstance(event, Commentary):
            return
        text = self.texts.get(event.message_id, "")[: event.offset] + event.text
        self.texts[event.message_id] = text
        if event.done and not event.retracted and (not text or text != text.strip()):
            yield f"the message is {text[:40]!r}" if len(text) <= 40 else f"…{text[-40:]!r}"

    def ended(self, terminal: AnyTerminal) -> Iterator[str]:
        if isinstance(terminal, Final) and terminal.text != terminal.text.strip():
            yield "white space around the final"
