"""What the tee costs a command and its reader, against starting the command directly."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .figures import Bound, Figure, at_least, at_most

FULL_SPEED = """
import os, sys
size, total = int(sys.argv[1]), int(sys.argv[2])
line = b'{"type":"user","pad":"' + b"x" * (size - 25) + b'"}\\n'
for _ in range(total // len(line)):
    os.write(1, line)
"""
PACED = """
import os, time
for _ in range(700):
    time.sleep(0.002)
    os.write(1, b'{"type":"user","at":%d}\\n' % time.monotonic_ns())
"""
RECORD = """
import sys
from pathlib import Path
from turnreel.recorder import Wanted, leave, record
leave(record(sys.argv[2:], Path(sys.argv[1]), Wanted(dialect="claude-stream-json")).exit)
"""
PUMP = """
import asyncio, sys
from turnreel.recorder.exits import leave
from turnreel.recorder.messages import framed
from turnreel.recorder.session import Session
from turnreel.recorder.stdio import tee

class Elsewhere:
    def __init__(self, file): self.file = file
    def put(self, message): self.file.write(framed(message))

with open("/dev/null", "wb", buffering=0) as null:
    leave(asyncio.run(tee(sys.argv[1:], Session(Elsewhere(null)))))
"""
VOLUME = 40_000_000
ROUNDS = 3


def measure() -> Iterator[Figure]:
    """Rates as ratios to a direct start, and the added time of one line."""
    for size, bound in ((120, at_least(0.35, 0.5)), (2048, at_least(0.1, 0.2))):
        direct = rate([], size)
        yield figure(f"{size} B lines, the pump", rate(pump(), size), direct, bound)
    with tempfile.TemporaryDirectory() as folder:
        pairs = [(latency([]), latency(recorded(folder, n))) for n in range(ROUNDS)]
    direct = statistics.median(one for one, _ in pairs)
    yield Figure(
        "added time of a line, p50",
        statistics.median(other - one for one, other in pairs) * 1e6,
        "us",
        at_most(40, 20),
        f"direct {direct * 1e6:.0f} us",
    )


def figure(what: str, ours: float, direct: float, bound: Bound | None) -> Figure:
    """A rate against the direct one."""
    return Figure(what, ours / direct, "x", bound, f"direct {direct / 1e6:.0f} MB/s")


def pump() -> list[str]:
    """The tee alone: what it tells is encoded and dropped."""
    return [sys.executable, "-c", PUMP]


def recorded(folder: str, number: int) -> list[str]:
    """The whole recorder, with its sealing process on the same cores."""
    return [sys.executable, "-c", RECORD, str(Path(folder) / f"{number}.cassette.jsonl")]


@contextmanager
def started(prefix: list[str], code: str, *arguments: str) -> Iterator[int]:
    """The command behind `prefix`; the value is the descriptor of its output."""
    command = [*prefix, sys.executable, "-c", code, *arguments]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        yield process.stdout.fileno()
    assert process.returncode == 0


def rate(prefix: list[str], size: int, rounds: int = ROUNDS) -> float:
    """Bytes a second at the reader, from the first byte to the end, the median of `rounds`."""
    rates = []
    for _ in range(rounds):
        with started(prefix, FULL_SPEED, str(size), str(VOLUME)) as out:
            taken = len(os.read(out, 1 << 16))
            began = time.perf_counter()
            while data := os.read(out, 1 << 16):
                taken += len(data)
            rates.append(taken / (time.perf_counter() - began))
    return statistics.median(rates)


def latency(prefix: list[str]) -> float:
    """Median seconds from the command's write of a line to the reader's read."""
    late = []
    with started(prefix, PACED) as out:
        while data := os.read(out, 1 << 16):
            now = time.monotonic_ns()
            late += [now - int(line.rpartition(b":")[2][:-1]) for line in data.splitlines()]
    return statistics.median(late) / 1e9
