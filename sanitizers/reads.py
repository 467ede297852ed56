"""How large a unit is: where reads ended in a changed one, and to bound what waits."""

from __future__ import annotations

from turnreel.wire.encode import encode
from turnreel.wire.units import Json, JsonUnit, TextUnit, TornUnit, Unit


def remapped(
    reads: tuple[int, ...], before: Unit | dict[str, Json], after: Unit | dict[str, Json]
) -> tuple[int, ...]:
    """`reads` of a unit that became another: each end keeps its share of the unit. As many as there
    were, none longer than the unit allows.
    """
    old, new = _size(before), _size(after)
    if old == new or not old:
        return reads
    sizes: list[int] = []
    end = shared = 0
    for read in reads:
        end += read
        place = min(end, old) * new // old
        sizes.append(place - shared)
        shared = place
    return tuple(sizes)


def _size(body: Unit | dict[str, Json]) -> int:
    match body:
        case JsonUnit() | TextUnit() | TornUnit():
            return len(encode(body))
        case _:
            return 0


def characters(body: Unit | dict[str, Json]) -> int:
    """About how much text a record holds, keys and numbers left out."""
    match body:
        case JsonUnit(value):
            return _characters(value)
        case TextUnit(text):
            return len(text)
        case TornUnit():
            return 0
        case fields:
            return _characters(fields)


def _characters(value: Json) -> int:
    match value:
        case str():
            return len(value)
        case dict():
            return sum(map(_characters, value.values()))
        case list():
            return sum(map(_characters, value))
        case _:
            return 0
