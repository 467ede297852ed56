"""All sweeps over one recording's turns, in their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .findings import Check
from .sweeps.breach import Breach
from .sweeps.cancel import cancel_and_end, cancel_and_go_on
from .sweeps.cut import cut
from .sweeps.duplicate import duplicate
from .sweeps.hosts import Host
from .sweeps.places import places
from .sweeps.prefix import prefix
from .sweeps.timeline import Timeline
from .sweeps.tracks import without_provider
from .watching import Native

Swept = tuple[Check, Iterable[list[Breach]]]
"""A check, and what each of its cases breaches. Cases are tried as they are asked for."""


def sweeps(timeline: Timeline, native: Native, seed: int) -> Iterator[Swept]:
    """Every sweep of the turns; `seed` draws the sampled places."""
    chosen = places(timeline, seed)
    host = Host(timeline.arrivals, native, timeline.recording.kept_tracks)
    yield "tracks", without_provider(timeline)
    yield "cut", cut(timeline, chosen, host)
    yield "cancel", cancel_and_end(timeline, chosen, host)
    yield "cancel", cancel_and_go_on(timeline, chosen)
    yield "duplicate", duplicate(timeline, chosen)
    yield "prefix", prefix(timeline, chosen)
