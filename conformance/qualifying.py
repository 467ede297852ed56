"""Adapters of this process held against every scenario (Q1, Q2): the same turn in all of them, kept
under every sweep.

A scenario that a dialect plays is landed as a cassette and verified like one: contract, bytes and
sweeps. What a dialect has no frame for is skipped with the reason that it declares, and shown; any
other skip is a finding (Q3).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec.structs import replace

from turnreel.adapters import registry
from turnreel.adapters.steps import Unsayable
from turnreel.cassettes import Existing, open_cassette
from turnreel.lifecycle.fold import fold
from turnreel.replayer import refeed
from turnreel.wire.errors import TurnreelError

from . import goldens
from .agreeing import agreed
from .errors import ConformanceError
from .examination import Task, examine
from .findings import SWEEPS, Check, Finding, Report, Result
from .recording import load
from .scenarios import compare, held_against, record_scenario, scenarios_of, unsayable


class Trial(msgspec.Struct, frozen=True):
    """One scenario in one dialect: `scenario` is an id, or somebody's own file."""

    dialect: str
    scenario: str
    seed: int
    sweeps: tuple[Check, ...]


def qualify(
    dialects: Sequence[str],
    scenarios: Sequence[str] = (),
    *,
    seed: int = 1,
    jobs: int = 2,
    sweeps: Collection[Check] = SWEEPS,
    on_progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Every scenario, or those named by id or file, in every dialect, in `jobs` processes.

    Raises `ConformanceError` for a scenario that nobody knows or that is broken, and for a dialect
    without turns. What an adapter does wrong is a finding.
    """
    started = time.perf_counter()
    chosen = tuple(sweep for sweep in SWEEPS if sweep in sweeps)
    trials = [
        Trial(dialect, scenario, seed, chosen)
        for dialect in map(_with_turns, dialects)
        for scenario in _known(scenarios)
    ]
    results: dict[int, Result] = {}
    for place, result in _tried(trials, min(jobs, len(trials))):
        results[place] = result
        if on_progress is not None:
            on_progress(len(results), len(trials))
    return Report(
        seed=seed,
        sweeps=chosen,
        results=tuple(results[place] for place in range(len(trials))),
        seconds=time.perf_counter() - started,
    )


def with_turns() -> tuple[str, ...]:
    """The dialects that tell turns."""
    return tuple(one for one in registry.dialects() if registry.adapter(one).info.has_runs)


def attempt(trial: Trial) -> Result:
    """What comes of one scenario in one dialect. Raises nothing: what an adapter or its renderer
    raises is a finding.
    """
    result = Result(
        path=f"{trial.dialect}/{trial.scenario}", dialects=(trial.dialect,), scenario=trial.scenario
    )
    try:
        return _attempt(trial, result)
    except TurnreelError as error:
        return _wrong(result, Finding(check="form", message=error.message, remedy=error.remedy))
    except (Exception, SystemExit) as error:  # somebody else's code may think that it is alone
        raised = f"raised {type(error).__name__}: {error}"
        return _wrong(result, Finding(check="scenario", clause="Q1", message=raised))


def _attempt(trial: Trial, result: Result) -> Result:
    scenario = held_against(trial.scenario)
    claims = registry.adapter(trial.dialect).info.claims
    if claims is None:
        return _wrong(result, Finding(check="scenario", clause="Q1", message="declares no claims"))
    with TemporaryDirectory(prefix="turnreel-") as folder:
        target = Path(folder, f"{scenario.id}.cassette.jsonl")
        try:
            record_scenario(scenario, trial.dialect, target, Existing.REFUSE)
        except Unsayable as error:
            return agreed(result, unsayable(scenario, claims, error), scenario, claims)
        recording = load(target)
        events = refeed.events(open_cassette(target))
        goldens.write(target, events)
        found = examine(Task(str(target), trial.seed, trial.sweeps))
    result = replace(found, path=result.path, scenario=trial.scenario)
    agreement = compare(scenario, claims, tuple(fold(events)))
    return agreed(result, agreement, scenario, claims, events, recording)


def _wrong(result: Result, finding: Finding) -> Result:
    return replace(result, findings=(*result.findings, finding))


def _with_turns(dialect: str) -> str:
    if not registry.adapter(dialect).info.has_runs:
        raise ConformanceError(f"{dialect} tells no turns", f"one of: {', '.join(with_turns())}")
    return dialect


def _known(names: Sequence[str]) -> tuple[str, ...]:
    """What is to be played; all of it can be read."""
    chosen = scenarios_of(names)
    return tuple(names) or tuple(scenario.id for scenario in chosen)


def _tried(trials: Sequence[Trial], jobs: int) -> Iterator[tuple[int, Result]]:
    if jobs <= 1:
        yield from enumerate(map(attempt, trials))
        return
    # Not forked: the caller may run threads, and a fork would copy their locks.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"))
    try:
        asked = {pool.submit(attempt, trial): place for place, trial in enumerate(trials)}
        for done in as_completed(asked):
            yield asked[done], done.result()
    except BrokenProcessPool:
        raise ConformanceError(
            "an adapter ended the process that it was tried in",
            "one --dialect at a time shows which",
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)
