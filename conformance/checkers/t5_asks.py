"""T5: needs_input asks."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import AnyTerminal, Faults, Watch
from turnreel.lifecycle.events import AnyEvent, Final, InputRequested, InputResolved, NeedsInput


class Checker(Watch):
    """Needs_input asks."""

    clause = "T5"
    sentence = (
        "needs_input carries one prompt to act on, and the gate it names was parked; only "
        "needs_input parks a gate; every terminal has a message."
    )

    def begin(self) -> None:
        self.asked: set[str] = set()
        self.parked: set[str] = set()

    def told(self, event: AnyEvent) -> Faults:
        match event:
            case InputRequested():
                self.asked.add(event.request_id)
            case InputResolved(resolution="parked"):
                self.parked.add(event.request_id)
            case _:
                pass
        return ()

    def ended(self, terminal: AnyTerminal) -> Iterator[str]:
        if not terminal.text.strip() and not isinstance(terminal, Final):  # empty finals are C5's
            yield "no message a person can act on"
        named = terminal.request_id if isinstance(terminal, NeedsInput) else None
        for request in sorted(self.parked - {named}):
            yield f"{request} was parked, but the terminal does not ask for it"
        if named in self.asked and named not in self.parked:
            yield "the gate asked for was not parked"
