"""Abstract steps as one streamed response of Hermes."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.adapters.bodies import Answer, Event
from turnreel.adapters.hermes.rendering import Loop
from turnreel.adapters.steps import Call, Script
from turnreel.wire.units import Json

from .builders import Stream


def answer(script: Script) -> Answer:
    """The events of a scripted turn. Raises `Unsayable` for what this surface cannot tell."""
    return Answer("POST", "/v1/responses", tuple(_Turn(script).frames()))


class _Turn(Loop[Event]):
    def __init__(self, script: Script) -> None:
        super().__init__(script)
        self._stream = Stream()

    def begins(self) -> Iterator[Event]:
        yield self._stream.created()
        yield self._stream.opened()

    def piece(self, text: str) -> Iterator[Event]:
        yield self._stream.delta(text)

    def called(self, call: Call) -> Iterator[Event]:
        yield self._stream.called(call.tool, call.name)

    def returned(self, call: Call, result: dict[str, Json], failed: bool) -> Iterator[Event]:
        yield self._stream.returned(call.tool, result)

    def failed(self, error: str) -> Iterator[Event]:
        yield self._stream.text_done()
        yield self._stream.completed(0, error)

    def ends(self) -> Iterator[Event]:
        yield self._stream.text_done()
        yield self._stream.completed()
