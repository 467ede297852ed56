"""E1: every event states the envelope."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import Watch
from turnreel.lifecycle.events import TERMINALS, AnyEvent


class Checker(Watch):
    """Every event states the envelope."""

    clause = "E1"
    sentence = (
        "Every event states version, id, run, number, time since the run began, and whether "
        "it is a terminal."
    )

    def every(self, event: AnyEvent) -> Iterator[str]:
        if event.v != 1:
            yield f"version {event.v} is not turn/1"
        if event.id != f"{event.run_id}:{event.seq}":
            yield f"id {event.id!r} is not run and number"
        if event.at_ms < 0:
            yield f"{-event.at_ms} ms before its run began"
        if event.terminal != isinstance(event, TERMINALS):
            yield f"terminal is {event.terminal} on {type(event).__name__}"
