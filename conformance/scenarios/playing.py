"""A scripted turn played in a dialect: as raw records to be landed, and as arrivals to be heard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from turnreel.adapters import registry
from turnreel.adapters.arrivals import raw_arrival
from turnreel.adapters.base import Arrival
from turnreel.adapters.bodies import Answer, Event
from turnreel.adapters.steps import Again, Beside, Script, Tell
from turnreel.adapters.translator import Translator
from turnreel.lifecycle.events import AnyEvent
from turnreel.sanitizers import Raw
from turnreel.wire.units import (
    Json,
    JsonUnit,
    LineFraming,
    SseFraming,
    TextUnit,
    Unit,
)

TOLD: Final = frozenset({"out", "data"})
"""Codes of what an agent tells."""

STEP_US: Final = 10_000
"""Scripted frames come ten milliseconds apart."""

AGENT: Final = "agent"
HOST: Final = "host"


def raws(dialect: str, script: Script) -> Iterator[Raw]:
    """The records of a scripted turn, its end and the host's word that no receipt will come.

    Raises `UnknownDialect`; `Unsayable` for a step that the dialect has no frame for.
    """
    if registry.adapter(dialect).info.carrier == "http":
        return _exchange(registry.answer(dialect)(script))
    return _lines(registry.lines(dialect)(script))


def arrivals(dialect: str, script: Script) -> Iterator[Arrival]:
    """The same as the arrivals that a host would see. Raises as `raws` does."""
    for number, raw in enumerate(raws(dialect, script)):
        one = raw_arrival(number, raw)
        if one is not None:
            yield one


def played(dialect: str, script: Script) -> list[AnyEvent]:
    """The events of a scripted turn. Raises as `raws` does."""
    return heard(dialect, arrivals(dialect, script))


def heard(dialect: str, told: Iterable[Arrival]) -> list[AnyEvent]:
    """The events that these arrivals cause."""
    adapter = registry.adapter(dialect)
    translator = Translator({AGENT: adapter}, session="scripted", agent=adapter.info.agent)
    return [event for one in told for event in translator.feed(one)]


class _Clock:
    """Raw records in the order they are told, and what the agent told of them so far."""

    def __init__(self) -> None:
        self._at_us = -STEP_US
        self._told: list[Raw] = []

    def tell(
        self, track: str, code: str, body: Unit | dict[str, Json], n: int | None = None
    ) -> Raw:
        """The next record."""
        self._at_us += STEP_US
        raw = Raw(self._at_us, track, code, body, n)
        if code in TOLD:
            self._told.append(raw)
        return raw

    def also(self, track: str, code: str) -> Raw:
        """A record without fields, at the same moment as the last one."""
        return Raw(self._at_us, track, code, {})

    def beside(self, step: Beside) -> Iterator[Raw]:
        """A step that is no frame of the agent's."""
        match step:
            case Tell(signal):
                fields = msgspec.to_builtins(signal)
                yield self.tell(HOST, fields.pop("signal"), fields)
            case Again():
                for raw in tuple(self._told):
                    yield self.tell(raw.track, raw.code, raw.body, raw.exchange)


def _lines(lines: Iterable[registry.Line | Beside]) -> Iterator[Raw]:
    """A host that signals its agent sees it exit with 1, as Codex does."""
    clock, status = _Clock(), 0
    for line in lines:
        match line:
            case Tell() | Again():
                yield from clock.beside(line)
            case ("signal", value):
                status = 1
                yield clock.tell(AGENT, "signal", value)
            case (side, value):
                yield clock.tell(AGENT, side, JsonUnit(value, LineFraming()))
    yield clock.tell(AGENT, "exit", {"code": status})
    yield clock.also(HOST, "unreconciled")


def _exchange(answer: Answer) -> Iterator[Raw]:
    request: dict[str, Json] = {"method": answer.method, "path": answer.path}
    clock = _Clock()
    yield clock.tell(AGENT, "request", request, 1)
    yield clock.tell(AGENT, "response", {"status": 200}, 1)
    for event in answer.events:
        if isinstance(event, Event):
            yield clock.tell(AGENT, "data", _unit(event), 1)
        else:
            yield from clock.beside(event)
    yield clock.tell(AGENT, "end", {}, 1)
    yield clock.also(HOST, "closed")
    yield clock.also(HOST, "unreconciled")


def _unit(event: Event) -> Unit:
    framing = SseFraming(event.name)
    if isinstance(event.data, str):
        return TextUnit(event.data, framing)
    return JsonUnit(event.data, framing)
