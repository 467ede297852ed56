"""Abstract steps as one streamed chat completion of Hermes."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.adapters.bodies import Answer, Event
from turnreel.adapters.hermes.rendering import Loop
from turnreel.adapters.steps import Call, Script
from turnreel.wire.units import Json

from . import builders


def answer(script: Script) -> Answer:
    """The chunks of a scripted turn. Raises `Unsayable` for what this surface cannot tell."""
    return Answer("POST", "/v1/chat/completions", tuple(_Turn(script).frames()))


class _Turn(Loop[Event]):
    def begins(self) -> Iterator[Event]:
        yield builders.opening()

    def piece(self, text: str) -> Iterator[Event]:
        yield builders.delta(text)

    def called(self, call: Call) -> Iterator[Event]:
        yield builders.tool_started(call.tool, call.name)

    def returned(self, call: Call, result: dict[str, Json], failed: bool) -> Iterator[Event]:
        yield builders.tool_completed(call.tool, call.name)

    def failed(self, error: str) -> Iterator[Event]:
        yield builders.failed(error)
        yield builders.done()

    def ends(self) -> Iterator[Event]:
        yield builders.finished()
        yield builders.done()
