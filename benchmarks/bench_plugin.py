"""What the pytest plugin costs a run that does not use it."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from .figures import Figure, at_most

ROUNDS = 15
TESTS = 200

LOADED = """
import time, importlib, pytest
started = time.perf_counter()
importlib.import_module("turnreel.conformance.plugin")
print((time.perf_counter() - started) * 1000)
"""
MODULE = "".join(f"def test_{number}(): pass\n" for number in range(TESTS))


def measure() -> Iterator[Figure]:
    """Loading it, and a whole run with it over one without, as fresh processes."""
    loading = [
        float(subprocess.check_output([sys.executable, "-c", LOADED])) for _ in range(ROUNDS)
    ]
    yield Figure("loading the plugin", statistics.median(loading), "ms", at_most(5), "nothing")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_nothing.py").write_text(MODULE, encoding="utf-8")
        Path(folder, "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        differences = []
        for _ in range(ROUNDS):
            without = _spent(folder, ["-p", "no:turnreel"])
            differences.append(_spent(folder, []) - without)
        cost = statistics.median(differences) * 1000
        yield Figure(f"pytest, {TESTS} tests", cost, "ms", at_most(5), "CPU without the plugin")


def _spent(folder: str, words: Sequence[str]) -> float:
    """CPU seconds of a run of pytest."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
        cwd=folder, check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
