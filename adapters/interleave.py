"""Put two logs of one session into one order: what the host wrote, and what the agent printed.

Neither log has times, so causes decide. A line that names a request the agent made comes right
after that request; a line whose id the agent names later comes right before that; any other line
comes where the line before it came. The order inside each log is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from turnreel.wire.units import Json, JsonUnit, Unit

Side = Literal["in", "out"]

ID_FIELDS: Final = frozenset({"id", "request_id", "uuid"})
REQUESTS: Final = frozenset({"control_request"})
"""Types of lines that ask the other side something; a line with a ``method`` does as well."""


def interleave(inputs: Sequence[Unit], outputs: Sequence[Unit]) -> Iterator[tuple[Side, Unit]]:
    """Every unit of both logs with its side, in one order that breaks no cause."""
    named = _first_places(outputs)
    placed: dict[int, list[Unit]] = {}
    floor = 0
    for unit in inputs:
        floor = max(floor, _place(unit, named, outputs) or 0)
        placed.setdefault(floor, []).append(unit)
    for place, unit in enumerate(outputs):
        yield from (("in", said) for said in placed.get(place, ()))
        yield "out", unit
    yield from (("in", said) for said in placed.get(len(outputs), ()))


def _place(unit: Unit, named: Mapping[str, int], outputs: Sequence[Unit]) -> int | None:
    """Before which output `unit` belongs; None if no output names it."""
    places = [named[name] for name in _ids(unit) if name in named]
    if not places:
        return None
    first = min(places)
    return first + 1 if _asks(outputs[first]) else first


def _first_places(outputs: Sequence[Unit]) -> dict[str, int]:
    places: dict[str, int] = {}
    for place, unit in enumerate(outputs):
        for name in _ids(unit):
            places.setdefault(name, place)
    return places


def _asks(unit: Unit) -> bool:
    match unit:
        case JsonUnit(value=dict() as value):
            return value.get("type") in REQUESTS or "method" in value
        case _:
            return False


def _ids(unit: Unit) -> set[str]:
    """The ids a line bears itself or in the response it wraps; deeper ones name other things."""
    match unit:
        case JsonUnit(value=dict() as value):
            wrapped = value.get("response")
            levels: list[Mapping[str, Json]] = [value]
            if isinstance(wrapped, dict):
                levels.append(wrapped)
            return {
                str(level[name])
                for level in levels
                for name in ID_FIELDS
                if isinstance(level.get(name), str | int)
            }
        case _:
            return set()
