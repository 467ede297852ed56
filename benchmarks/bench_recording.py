"""What recording costs the recorded: processor time and latency of the proxy, against a bare relay
and against no proxy at all.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from collections.abc import Callable, Iterator

from .figures import Figure, at_most
from .streams import Heard, Relay, ask, running

STREAMS, EVENTS, SIZE, GAP = 5, 300, 330, 0.005
REQUESTS = 20
ROUNDS = 3


def measure() -> Iterator[Figure]:
    """The figures of DESIGN's first row on recording."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running("upstream") as upstream,
        running("relay", upstream.url) as bare,
        running("recorder", upstream.url, folder) as recorder,
    ):
        for warm in (upstream, bare, recorder):
            asyncio.run(ask(warm.url, 50, SIZE, 0.001))
        spent = {relay: [cpu_per_event(relay) for _ in range(ROUNDS)] for relay in (bare, recorder)}
        ours, theirs = statistics.median(spent[recorder]), statistics.median(spent[bare])
        yield Figure(
            "CPU per paced event, proxy's process",
            ours / theirs,
            "x",
            at_most(2.5, 2.0),
            f"aiohttp relay {theirs * 1e6:.0f} us",
        )
        direct, added = in_turn(latency, upstream, recorder)
        _, bare_added = in_turn(latency, upstream, bare)
        yield Figure(
            "added latency of an event, p50",
            added * 1e3,
            "ms",
            at_most(0.15, 0.1),
            f"direct {direct * 1e3:.3f} ms, aiohttp relay +{bare_added * 1e3:.3f}",
        )
        direct, added = in_turn(first_byte, upstream, recorder)
        yield Figure(
            "first byte over direct, p50",
            added * 1e3,
            "ms",
            at_most(6, 3),
            f"direct {direct * 1e3:.2f} ms",
        )


def in_turn(measured: Callable[[Relay], float], direct: Relay, relay: Relay) -> tuple[float, float]:
    """The median of `direct` and of what `relay` adds, measured one after the other so that a busy
    moment strikes both.
    """
    pairs = [(measured(direct), measured(relay)) for _ in range(ROUNDS)]
    return (
        statistics.median(one for one, _ in pairs),
        statistics.median(other - one for one, other in pairs),
    )


def cpu_per_event(relay: Relay) -> float:
    """Seconds of `relay` for one event of several streams at once."""
    before = relay.cpu_seconds()
    asyncio.run(several(relay))
    return (relay.cpu_seconds() - before) / (STREAMS * EVENTS)


async def several(relay: Relay) -> list[Heard]:
    """Paced streams at the same time."""
    return await asyncio.gather(*(ask(relay.url, EVENTS, SIZE, GAP) for _ in range(STREAMS)))


def latency(relay: Relay) -> float:
    """Median seconds from the upstream's write to the client's read, one stream."""
    return statistics.median(asyncio.run(ask(relay.url, EVENTS, SIZE, GAP)).latencies)


def first_byte(relay: Relay) -> float:
    """Median seconds from connecting to the first byte of the body, a connection each."""
    firsts = [asyncio.run(ask(relay.url, 1, SIZE)).first for _ in range(REQUESTS)]
    return statistics.median(firsts)
