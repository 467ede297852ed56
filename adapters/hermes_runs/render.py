"""Abstract steps as the events of one run."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.adapters.bodies import Answer, Event
from turnreel.adapters.hermes.rendering import Loop
from turnreel.adapters.steps import Beside, Call, Script, Tell, Verdict
from turnreel.lifecycle.signals import CancelRequested
from turnreel.wire.units import Json

from .builders import RUN, Stream

Told = Event | Beside


def answer(script: Script) -> Answer:
    """The events of a scripted turn. Raises `Unsayable` for what this surface cannot tell."""
    return Answer("GET", f"/v1/runs/{RUN}/events", tuple(_Turn(script).frames()))


class _Turn(Loop[Told]):
    def __init__(self, script: Script) -> None:
        super().__init__(script)
        self._stream = Stream()

    def begins(self) -> Iterator[Told]:
        yield from ()

    def piece(self, text: str) -> Iterator[Told]:
        yield self._stream.delta(text)

    def call_over(self, said: str, *, commentary: bool) -> Iterator[Told]:
        yield self._stream.echo(said)

    def called(self, call: Call) -> Iterator[Told]:
        yield self._stream.tool_started(call.name)

    def returned(self, call: Call, result: dict[str, Json], failed: bool) -> Iterator[Told]:
        yield self._stream.tool_completed(call.name, error=failed)

    def asks(self, call: Call) -> Iterator[Told]:
        command = call.arguments.get("command")
        yield self._stream.asks(command if isinstance(command, str) else "")

    def replies(self, call: Call, verdict: Verdict) -> Iterator[Told]:
        yield self._stream.responded("once" if verdict == "allow" else "deny")

    def interrupted(self, partial: str) -> Iterator[Told]:
        yield Tell(CancelRequested(via="stop"))
        yield self._stream.cancelled()

    def failed(self, error: str) -> Iterator[Told]:
        yield self._stream.failed(error)

    def ends(self) -> Iterator[Told]:
        yield self._stream.completed(self.answer)
