"""Verify cassettes: form, bytes, contract, golden and sweeps, over several processes."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from turnreel.cassettes import open_cassette
from turnreel.replayer import refeed

from . import goldens
from .discovery import cassettes_under
from .examination import Task, examine
from .findings import SWEEPS, Acceptance, Check, Report, Result

DEFAULT_SEED: Final = 1

Progress = Callable[[int, int], None]
"""Called with (cassettes done, cassettes in all) after each."""


def verify(
    paths: Sequence[Path],
    *,
    seed: int = DEFAULT_SEED,
    jobs: int = 2,
    sweeps: Collection[Check] = SWEEPS,
    on_progress: Progress | None = None,
) -> Report:
    """Verify every cassette under `paths` (files or folders) in `jobs` processes.

    Raises `NoCassettes` if a path does not exist or no cassette is there; what is wrong with a
    cassette is a finding, never an error. The report depends on files, seed and sweeps alone.
    """
    started = time.perf_counter()
    chosen = tuple(sweep for sweep in SWEEPS if sweep in sweeps)
    tasks = [Task(str(path), seed, chosen) for path in cassettes_under(paths)]
    results: dict[str, Result] = {}
    for result in _examined(tasks, min(jobs, len(tasks))):
        results[result.path] = result
        if on_progress is not None:
            on_progress(len(results), len(tasks))
    return Report(
        seed=seed,
        sweeps=chosen,
        results=tuple(results[task.path] for task in tasks),
        seconds=time.perf_counter() - started,
    )


def accept(paths: Sequence[Path]) -> list[Acceptance]:
    """Write the golden of every cassette under `paths` that has runs, as its turn now comes out.

    Raises `AcceptRefused` when the environment says CI, `NoCassettes`, and `CassetteError` for the
    first cassette that cannot be read.
    """
    goldens.refuse_in_ci()
    accepted = []
    for path in cassettes_under(paths):
        cassette = open_cassette(path)
        if any(one.info.has_runs for one in refeed.adapters(cassette.header).values()):
            accepted.append(goldens.write(path, refeed.events(cassette)))
    return accepted


def _examined(tasks: Sequence[Task], jobs: int) -> Iterator[Result]:
    """The results as they come. One job stays in this process: the cheapest start."""
    if jobs <= 1:
        yield from map(examine, tasks)
        return
    # Not forked: the caller may run threads, and a fork would copy their locks.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_leave_interrupts_alone)
    try:
        for done in as_completed([pool.submit(examine, task) for task in tasks]):
            yield done.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts_alone() -> None:
    """Ctrl-C reaches every process of the terminal; the one that asked stops the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
