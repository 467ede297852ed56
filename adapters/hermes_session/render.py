"""Abstract steps as one turn of the session stream."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from turnreel.adapters.bodies import Answer, Event
from turnreel.adapters.hermes.rendering import Loop
from turnreel.adapters.steps import Call, Script
from turnreel.wire.units import Json

from . import builders
from .builders import SESSION, Stream


def answer(script: Script) -> Answer:
    """The events of a scripted turn. Raises `Unsayable` for what this surface cannot tell."""
    path = f"/api/sessions/{SESSION}/chat/stream"
    return Answer("POST", path, tuple(_Turn(script).frames()))


class _Turn(Loop[Event]):
    def __init__(self, script: Script) -> None:
        super().__init__(script)
        self._stream = Stream()
        self._rows: list[Json] = []

    def begins(self) -> Iterator[Event]:
        yield self._stream.started(self.prompt)
        yield self._stream.opened()

    def piece(self, text: str) -> Iterator[Event]:
        yield self._stream.delta(text)

    def call_over(self, said: str, *, commentary: bool) -> Iterator[Event]:
        if not commentary:
            self._rows.append(builders.said(said))
        yield self._stream.echo(said)

    def called(self, call: Call) -> Iterator[Event]:
        yield self._stream.tool_started(call.name)

    def returned(self, call: Call, result: dict[str, Json], failed: bool) -> Iterator[Event]:
        self._rows.append(builders.returned(call.name, msgspec.json.encode(result).decode()))
        yield self._stream.tool_completed(call.name)

    def failed(self, error: str) -> Iterator[Event]:
        yield self._stream.answered(error)
        yield self._stream.completed(self._rows)
        yield self._stream.done()

    def ends(self) -> Iterator[Event]:
        yield self._stream.answered(self.answer)
        yield self._stream.completed(self._rows)
        yield self._stream.done()
