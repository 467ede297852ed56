"""Whole native events of a run, for scripts, faults and tests."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.bodies import Event
from turnreel.wire.units import Json

RUN: Final = "run_" + "0" * 31 + "1"
CHOICES: Final = ("once", "session", "always", "deny")
USAGE: Final = 2


class Stream:
    """Builds the events of one run, with times that tell them apart."""

    def __init__(self, run: str = RUN) -> None:
        self.run = run
        self._events = 0

    def delta(self, text: str) -> Event:
        """A piece of text."""
        return self._event("message.delta", delta=text)

    def echo(self, text: str) -> Event:
        """A model call ended; it said `text`."""
        return self._event("reasoning.available", text=text)

    def tool_started(self, name: str) -> Event:
        """A tool starts."""
        return self._event("tool.started", tool=name, preview=None)

    def tool_completed(self, name: str, *, error: bool) -> Event:
        """A tool returned."""
        return self._event("tool.completed", tool=name, duration=0.1, error=error)

    def asks(self, command: str) -> Event:
        """The person is asked before a command runs."""
        why: dict[str, Json] = {
            "pattern_key": "scripted",
            "pattern_keys": ["scripted"],
            "description": "scripted",
            "allow_permanent": True,
        }
        choices = list[Json](CHOICES)
        return self._event("approval.request", command=command, **why, choices=choices)

    def responded(self, choice: str) -> Event:
        """The person answered."""
        return self._event("approval.responded", choice=choice, resolved=1)

    def completed(self, output: str, tokens: int = USAGE) -> Event:
        """The run is over."""
        usage: dict[str, Json] = {"input_tokens": tokens, "output_tokens": 0}
        return self._event("run.completed", output=output, usage={**usage, "total_tokens": tokens})

    def failed(self, error: str) -> Event:
        """The run failed."""
        return self._event("run.failed", error=error)

    def cancelled(self) -> Event:
        """The run was stopped."""
        return self._event("run.cancelled")

    def _event(self, event: str, **fields: Json) -> Event:
        self._events += 1
        at = 946684800.0 + self._events / 100
        return Event({"event": event, "run_id": self.run, "timestamp": at, **fields})


def closed() -> Event:
    """The comment behind the last event."""
    return Event(": stream closed")
