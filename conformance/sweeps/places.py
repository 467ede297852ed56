"""Where a sweep changes the stream."""

from __future__ import annotations

import random
from typing import Final

from .timeline import Timeline

FIRST: Final = 2_000
"""Every place up to this one is visited."""

SAMPLE: Final = 200
"""Places drawn from those beyond, besides the boundaries."""


def places(timeline: Timeline, seed: int) -> list[int]:
    """The places to visit, ascending: the first ones, every boundary, and a sample by `seed`.

    A boundary is a place right before or behind an arrival that told something, where a turn, a
    message, a tool or a gate began or ended.
    """
    last = timeline.places - 1
    chosen = set(range(min(FIRST, last) + 1))
    beyond = range(FIRST + 1, last + 1)
    for place in beyond:
        if timeline.told[place - 1] or (place < last and timeline.told[place]):
            chosen.add(place)
    chosen.update(random.Random(seed).sample(beyond, min(SAMPLE, len(beyond))))
    return sorted(chosen)
