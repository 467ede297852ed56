"""What a foreign adapter is played: recordings, and scenarios scripted in its dialect."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from turnreel.adapters import registry
from turnreel.adapters.claims import Claims
from turnreel.adapters.steps import Unsayable
from turnreel.cassettes import Existing, Header, open_cassette
from turnreel.lifecycle.events import AnyEvent
from turnreel.lifecycle.fold import fold

from . import explain, goldens
from .agreeing import agreed
from .findings import Check, Result
from .gathering import result_of
from .qualifying import with_turns
from .recording import Recording, load
from .scenarios import Scenario, compare, record_scenario, scenarios_of, unsayable


@dataclass(frozen=True)
class Part(ABC):
    """A recording, and what its turn is held against."""

    recording: Recording

    def begun(self) -> Result:
        """The result before anything was found."""
        return result_of(self.recording)

    @abstractmethod
    def held(self, result: Result, told: Sequence[AnyEvent]) -> Result:
        """`result` with what came of holding the turn of these events against the right one."""


@dataclass(frozen=True)
class Recorded(Part):
    """A recording of somebody's, with the right turn beside it."""

    def held(self, result: Result, told: Sequence[AnyEvent]) -> Result:
        cases: dict[Check, int] = {**result.cases, "golden": 1}
        found = tuple(
            replace(explain.of_turn(one, told, self.recording), remedy="")
            for one in goldens.compare(self.recording.path, told)
        )
        return replace(result, cases=cases, findings=(*result.findings, *found))


@dataclass(frozen=True)
class Scripted(Part):
    """A scenario in one dialect, which declares what it cannot tell."""

    scenario: Scenario
    dialect: str
    claims: Claims

    def begun(self) -> Result:
        return _of_scenario(result_of(self.recording), self.dialect, self.scenario)

    def held(self, result: Result, told: Sequence[AnyEvent]) -> Result:
        agreement = compare(self.scenario, self.claims, tuple(fold(told)))
        return agreed(result, agreement, self.scenario, self.claims, told, self.recording)


def recorded(paths: Sequence[Path], dialects: Sequence[str]) -> Iterator[Recorded]:
    """The recordings at `paths` of these dialects, of any if none is named, that can have runs: a
    dialect that is named and that nobody here knows has them if its adapter says so. Raises
    `CassetteError` for one that cannot be read.
    """
    for path in paths:
        recording = load(path)
        spoken = _spoken(recording.header).intersection(dialects)
        has_runs = recording.has_runs or not all(map(registry.knows, spoken))
        if has_runs and (spoken or not dialects):
            yield Recorded(recording)


def written(paths: Sequence[Path]) -> tuple[str, ...]:
    """The dialects of the recordings at `paths` in which a scenario can be written here. Raises
    `CassetteError` for one that cannot be read.
    """
    spoken = {dialect for path in paths for dialect in _spoken(open_cassette(path).header)}
    return tuple(dialect for dialect in with_turns() if dialect in spoken)


def scripted(
    dialects: Sequence[str], scenarios: Sequence[str], folder: Path
) -> Iterator[Scripted | Result]:
    """The scenarios of these names, or all, in each of the dialects that can be written here, as
    recordings in `folder`; in place of one that a dialect has no frames for, the result that says
    so. Raises `ConformanceError` for a scenario nobody knows.
    """
    chosen = scenarios_of(scenarios)
    for dialect in dialects:
        claims = registry.adapter(dialect).info.claims if dialect in with_turns() else None
        if claims is not None:
            for scenario in chosen:
                yield _scripted(scenario, dialect, claims, folder)


def _scripted(scenario: Scenario, dialect: str, claims: Claims, folder: Path) -> Scripted | Result:
    target = folder / f"{dialect}.{scenario.id}.cassette.jsonl"
    try:
        record_scenario(scenario, dialect, target, Existing.REFUSE)
    except Unsayable as error:
        result = _of_scenario(Result(path="", dialects=(dialect,)), dialect, scenario)
        return agreed(result, unsayable(scenario, claims, error), scenario, claims)
    return Scripted(load(target), scenario, dialect, claims)


def _spoken(header: Header) -> set[str]:
    return {track.dialect for track in header.tracks if track.carrier != "host"}


def _of_scenario(result: Result, dialect: str, scenario: Scenario) -> Result:
    return replace(result, path=f"{dialect}/{scenario.id}", scenario=scenario.id)
