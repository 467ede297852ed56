"""One cassette, examined: form, bytes, contract, golden, sweeps. Runs in a process of its own."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

import msgspec
from msgspec.structs import replace

from turnreel.adapters import registry
from turnreel.lifecycle.fold import RunView, fold
from turnreel.wire.errors import TurnreelError

from . import explain, goldens
from .findings import Check, Finding, Result
from .gathering import Gathering, result_of
from .judging import judged
from .native import native_of
from .recording import Recording, load
from .sweeping import sweeps
from .sweeps.breach import Breach
from .sweeps.rechunk import bytes_again, rechunk, streams
from .sweeps.timeline import Timeline


class Task(msgspec.Struct, frozen=True):
    """What is asked of an examination."""

    path: str
    seed: int
    sweeps: tuple[Check, ...]


def examine(task: Task) -> Result:
    """All that is found on one cassette. Raises nothing: what an adapter raises is a finding too,
    since adapters are total.
    """
    examination = _Examination(task)
    try:
        examination.run()
    except TurnreelError as error:
        found = Finding(check="form", message=error.message, remedy=error.remedy)
        examination.gathering.find(found)
    except Exception as error:
        what = f"a defect of turnreel: {type(error).__name__}: {error}"
        found = Finding(check="contract", message=what, remedy="please report it")
        examination.gathering.find(found)
    return examination.gathering.told()


class _Examination:
    def __init__(self, task: Task) -> None:
        self._task = task
        self.gathering = Gathering(Result(path=task.path))

    def run(self) -> None:
        """Everything that can be examined; what the form forbids is not tried."""
        self.gathering.count("form")
        recording = load(Path(self._task.path))
        self.gathering.result = result_of(recording)
        self._form(recording)
        found = streams(recording.arrivals)
        self._breaches("bytes", recording, bytes_again(found))
        if recording.has_runs:
            self._turns(recording)
        if "rechunk" in self._task.sweeps:
            self._breaches("rechunk", recording, rechunk(found, self._task.seed))

    def _form(self, recording: Recording) -> None:
        if recording.seal is None:
            self.gathering.find(
                Finding(
                    check="form",
                    message="interrupted: the cassette has no seal",
                    remedy=f"turnreel recover {self._task.path} seals it",
                )
            )
        for track in recording.header.tracks:
            if track.carrier != "host" and not _known(track.dialect):
                message = f"track {track.id}: no adapter for the dialect {track.dialect!r}"
                remedy = f"known: {', '.join(registry.dialects())}"
                self.gathering.find(Finding(check="form", message=message, remedy=remedy))

    def _turns(self, recording: Recording) -> None:
        timeline = Timeline(recording)
        native = native_of(recording)
        runs = tuple(map(_word, fold(timeline.events)))
        self.gathering.result = replace(self.gathering.result, runs=runs)
        self.gathering.count("contract")
        events = timeline.events
        for violation in judged(events, native):
            explained = partial(explain.of_violation, violation, events, recording)
            self.gathering.found("contract", explained)
        self.gathering.count("golden")
        for finding in goldens.compare(recording.path, events):
            self.gathering.find(explain.of_turn(finding, events, recording))
        for check, cases in sweeps(timeline, native, self._task.seed):
            if check in self._task.sweeps:
                self._breaches(check, recording, cases)

    def _breaches(self, check: Check, recording: Recording, cases: Iterable[list[Breach]]) -> None:
        for breaches in cases:
            self.gathering.count(check)
            for breach in breaches:
                seed = self._task.seed
                self.gathering.found(check, partial(explain.of_breach, breach, recording, seed))


def _word(run: RunView) -> str:
    if run.terminal is None:
        return "open"
    code = f"({run.terminal.code})" if run.terminal.code else ""
    return f"{run.terminal.type}{code}"


def _known(dialect: str) -> bool:
    """Whether a track of this dialect may stand in a cassette: it has an adapter, a policy alone
    (what an agent keeps of a session), or no frames at all."""
    return dialect == registry.NO_DIALECT or registry.knows(dialect)
