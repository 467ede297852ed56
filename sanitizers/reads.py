"""Where socket reads ended inside a unit whose length sanitizing changed."""

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
