"""How long a repository of 300 cassettes takes to verify: every check, every sweep, two processes.

The cassettes are the library's, copied until there are enough.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Final

from turnreel.conformance.goldens import golden_path
from turnreel.conformance.verify import verify

from .figures import Figure, at_most
from .library import cassettes

COUNT: Final = 300
JOBS: Final = 2
ROUNDS: Final = 3


def measure() -> Iterator[Figure]:
    """Seconds, and what each case of a sweep costs of them."""
    with tempfile.TemporaryDirectory() as folder:
        for number, path in enumerate(islice(cycle(cassettes()), COUNT)):
            for source in (path, golden_path(path)):
                shutil.copy(source, Path(folder) / f"{number}-{source.name}")
        reports = [verify([Path(folder)], jobs=JOBS) for _ in range(ROUNDS)]
    if not all(report.ok for report in reports):
        raise AssertionError("the library does not verify")
    seconds = statistics.median(report.seconds for report in reports)
    cases = sum(sum(result.cases.values()) for result in reports[0].results)
    yield Figure(
        f"verifying {COUNT} cassettes with all sweeps",
        seconds,
        "s",
        at_most(30, 10),
        f"{JOBS} processes, {cases} cases, {seconds * JOBS / cases * 1e6:.0f} µs each",
    )
