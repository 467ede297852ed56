"""R8: what an abandoned attempt had said is not in the final."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import AnyTerminal, Watch
from turnreel.lifecycle.events import Final


class Checker(Watch):
    """What an abandoned attempt had said is not in the final."""

    clause = "R8"
    sentence = "A text that was given up, and that nothing said again, is no part of the final."
    reads = "native"

    def ended(self, terminal: AnyTerminal) -> Iterator[str]:
        told = self.native.testimony.get(terminal.run_id) if self.native is not None else None
        if told is None or not isinstance(terminal, Final):
            return
        lost = [m for m in told.messages.values() if m.is_lost]
        kept = [m for m in told.messages.values() if not m.is_lost]
        stands = [text for message in kept for text in message.versions]
        stands += [text for _, text, _ in told.named]
        for message in lost:
            for text in filter(None, (version.strip() for version in message.versions)):
                if text in terminal.text and not any(text in other for other in stands):
                    yield "the final holds what an abandoned attempt had said"
                    return
