"""T9: everything is closed before the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import AnyTerminal, Faults, Watch
from turnreel.lifecycle.events import Activity, AnyEvent, InputRequested, InputResolved


class Checker(Watch):
    """Everything is closed before the terminal."""

    clause = "T9"
    sentence = "At the terminal no activity and no gate is open."

    def begin(self) -> None:
        self.open: dict[str, str] = {}

    def told(self, event: AnyEvent) -> Faults:
        match event:
            case Activity(state="started" | "progress"):
                self.open[event.activity_id] = f"activity {event.name}"
            case Activity():
                self.open.pop(event.activity_id, None)
            case InputRequested():
                self.open[event.request_id] = f"gate {event.kind}"
            case InputResolved():
                self.open.pop(event.request_id, None)
            case _:
                pass
        return ()

    def ended(self, terminal: AnyTerminal) -> Iterator[str]:
        for key, what in self.open.items():
            yield f"{what} ({key}) is still open"
