"""A scripted turn played in a dialect: as raw records to be landed, and as arrivals to be heard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from typing import Final

from turnreel.adapters import registry
from turnreel.adapters.arrivals import raw_arrival
from turnreel.adapters.base import Arrival
from turnreel.adapters.bodies import Answer, Event
from turnreel.adapters.steps import Script
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


def _lines(lines: Iterable[registry.Line]) -> Iterator[Raw]:
    """A host that signals its agent sees it exit with 1, as Codex does."""
    at_us, status = 0, 0
    for at_us, (side, value) in zip(count(0, STEP_US), lines, strict=False):
        if side == "signal":
            status = 1
            yield Raw(at_us, AGENT, side, value)
        else:
            yield Raw(at_us, AGENT, side, JsonUnit(value, LineFraming()))
    yield Raw(at_us + STEP_US, AGENT, "exit", {"code": status})
    yield Raw(at_us + STEP_US, HOST, "unreconciled", {})


def _exchange(answer: Answer) -> Iterator[Raw]:
    request: dict[str, Json] = {"method": answer.method, "path": answer.path}
    yield Raw(0, AGENT, "request", request, 1)
    yield Raw(STEP_US, AGENT, "response", {"status": 200}, 1)
    at_us = STEP_US
    for at_us, event in zip(count(2 * STEP_US, STEP_US), answer.events, strict=False):
        if isinstance(event, Event):
            yield Raw(at_us, AGENT, "data", _unit(event), 1)
        else:
            yield Raw(at_us, HOST, "cancel_requested", {"via": "stop"})
    for track, code, exchange in ((AGENT, "end", 1), (HOST, "closed", None)):
        yield Raw(at_us + STEP_US, track, code, {}, exchange)
    yield Raw(at_us + STEP_US, HOST, "unreconciled", {})


def _unit(event: Event) -> Unit:
    framing = SseFraming(event.name)
    if isinstance(event.data, str):
        return TextUnit(event.data, framing)
    return JsonUnit(event.data, framing)
