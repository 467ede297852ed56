"""One session of 1 GiB, from native bytes to a sealed cassette: what it adds to the memory of a
short one, how fast it goes, and how much of it waits. Each profile in a process of its own.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple, get_args

from turnreel.cassettes import AgentInfo, CassetteWriter, Origin, Outline, TrackSpec, open_cassette
from turnreel.sanitizers import RULESET_VERSION, Clean, Profile, Sanitizer

from .figures import Figure, at_least, at_most
from .talk import AGENT, POLICIES, PROVIDER, Piece, sealed, talk

MIB: Final = 1 << 20
SIZE: Final = 1024 * MIB
WARM: Final = 16 * MIB
"""What every table, cache and buffer has seen before memory is looked at."""

BATCH: Final = 4096


class Long(NamedTuple):
    """What sealing a long session took: memory as it grew, in bytes; CPU time in seconds; records;
    the most text of deltas that waited at once, in characters.
    """

    grown: list[int]
    seconds: float
    records: int
    waited: int


def measure() -> Iterator[Figure]:
    """Memory, speed and hold-back over `SIZE` bytes, by profile."""
    for profile in get_args(Profile):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as one:
            long = one.submit(sealed_session, profile, SIZE).result()
        quarters = [long.grown[len(long.grown) * part // 4 - 1] / MIB for part in (1, 2, 3, 4)]
        what = f"{SIZE // MIB} MiB, {profile}"
        yield Figure(
            f"memory over {what}", max(long.grown) / MIB, "MiB", at_most(32, 16),
            "after each quarter " + ", ".join(f"{one:.1f}" for one in quarters),
        )  # fmt: skip
        rate = SIZE / long.seconds / 1e6
        note = f"sealed, {long.records} records"
        yield Figure(f"sealing {what}", rate, "MB/s", at_least(10, 25), note)
        yield Figure(f"text held back, {profile}", long.waited, "characters", at_most(4096))


def sealed_session(profile: Profile, size: int) -> Long:
    """Seals `size` bytes of talk into a compressed cassette and reads it again."""
    sanitizer = Sanitizer(POLICIES, profile)
    meter = Meter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "long.cassette.jsonl.zst")
        with CassetteWriter(path, outline(profile)) as writer:
            pieces = talk(size)
            while batch := list(islice(pieces, BATCH)):
                started = time.process_time()
                landed: list[Clean] = []
                for piece, cleans in zip(batch, sealed(batch, sanitizer), strict=True):
                    meter.passed(piece, len(cleans))
                    landed += cleans
                writer.write_all(landed)
                meter.batch(batch, time.process_time() - started)
            writer.write_all(sanitizer.flush())
            records = writer.seal(sanitizer.report()).records
        ending = open_cassette(path).ending()
        assert ending.seal is not None and ending.records == records == meter.records
    return Long(meter.grown, meter.seconds, records, meter.waited)


def outline(profile: Profile) -> Outline:
    """What the cassette says of itself."""
    return Outline(
        agent=AgentInfo("claude", None),
        tracks=(
            TrackSpec(id=AGENT, carrier="stdio", dialect=POLICIES[AGENT].dialect),
            TrackSpec(id=PROVIDER, carrier="http", dialect=POLICIES[PROVIDER].dialect),
        ),
        policies={one.dialect: one.version for one in POLICIES.values()},
        rules=RULESET_VERSION,
        profile=profile,
        origin=Origin(kind="generated"),
    )


class Meter:
    """Counts what goes in and comes out."""

    def __init__(self) -> None:
        self.records = 0
        self.waited = 0
        self.seconds = 0.0
        self.grown: list[int] = []
        self._waiting: deque[int] = deque()
        self._held = 0
        self._bytes = 0
        self._before = 0

    def passed(self, piece: Piece, landed: int) -> None:
        """One piece went in, which is one record, and so many records came out."""
        self.records += 1
        self._waiting.append(piece.text)
        self._held += piece.text
        for _ in range(landed):
            self._held -= self._waiting.popleft()
        self.waited = max(self.waited, self._held)

    def batch(self, pieces: list[Piece], seconds: float) -> None:
        """So many went in and were written in so much CPU time."""
        self.seconds += seconds
        self._bytes += sum(len(piece.data) for piece in pieces)
        if self._bytes < WARM:
            self._before = memory()
        else:
            self.grown.append(memory() - self._before)


def memory() -> int:
    """This process's memory in bytes: what it has now; where that is not told, the most it had."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
