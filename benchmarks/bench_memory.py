"""What a long stream costs the recorder in memory: as fast as it can be sealed, and paced."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

from turnreel.cassettes import open_cassette

from .figures import Figure, at_most
from .streams import ask, running

MIB = 1 << 20
SIZE = 16 * 1024
EVENTS = 200 * 1000 * 1000 // SIZE
BYTES_A_SECOND = 16 * 1000 * 1000


def measure() -> Iterator[Figure]:
    """Growth over 200 MB; each recording must be sealed and complete."""
    yield from growth("at full speed, stalled", 0.0)
    yield from growth("paced", SIZE / BYTES_A_SECOND)


def growth(how: str, gap: float) -> Iterator[Figure]:
    """The recorder's peak after 200 MB over its peak after a short stream, both processes."""
    with tempfile.TemporaryDirectory() as folder:
        with running("upstream") as upstream, running("recorder", upstream.url, folder) as recorder:
            asyncio.run(ask(recorder.url, 20, SIZE))
            before = recorder.peak_bytes(), recorder.peak_bytes(of_child=True)
            asyncio.run(ask(recorder.url, EVENTS, SIZE, gap))
            after = recorder.peak_bytes(), recorder.peak_bytes(of_child=True)
        (cassette,) = Path(folder).iterdir()
        ending = open_cassette(cassette).ending()
        assert ending.seal is not None and ending.records > EVENTS, "sealed, and nothing lost"
    grown = [(late - early) / MIB for early, late in zip(before, after, strict=True)]
    yield Figure(
        f"memory over 200 MB {how}",
        max(grown),
        "MiB",
        at_most(32, 16),
        f"proxy {grown[0]:.1f}, sealing {grown[1]:.1f}",
    )
