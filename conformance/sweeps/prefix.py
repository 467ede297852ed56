"""Prefix: everything so far comes again, as after a reconnect or from a restarted host (R2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from turnreel.conformance.recording import identified

from .breach import Breach
from .duplicate import again_as_new, again_as_the_same
from .places import FIRST
from .timeline import Timeline

AS_NEW_RECORDS: Final = 24
"""At so many places the prefix also comes as new records; each repeats all that was before it."""


def prefix(timeline: Timeline, chosen: Sequence[int]) -> Iterator[list[Breach]]:
    """The arrivals before each chosen place again: as the same records at the first places; as new
    records, those that have an identity, at some places and at the end, and both there.
    """
    named = [
        place
        for place, arrival in enumerate(timeline.arrivals)
        if identified(timeline.recording, arrival)
    ]
    some = {*chosen[:: max(1, len(chosen) // AS_NEW_RECORDS)], timeline.places - 1}
    for place in chosen:
        if place > FIRST and place not in some:
            continue
        found = again_as_the_same(timeline, place, range(place))
        if place in some:
            found += again_as_new(timeline, place, [one for one in named if one < place])
        yield [replace(breach, check="prefix") for breach in found]
