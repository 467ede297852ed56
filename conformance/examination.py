"""One cassette, examined: form, bytes, contract, golden, sweeps. Runs in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from turnreel.adapters import registry
from turnreel.lifecycle.fold import RunView, fold
from turnreel.wire.errors import TurnreelError

from . import explain, goldens
from .findings import Check, Finding, Result
from .judging import judged
from .native import native_of
from .recording import Recording, load
from .sweeping import sweeps
from .sweeps.breach import Breach
from .sweeps.rechunk import bytes_again, rechunk, streams
from .sweeps.timeline import Timeline

SHOWN: Final = 3
"""Findings of one check that are told in full; the others are counted."""


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
        examination.find(Finding(check="form", message=error.message, remedy=error.remedy))
    except Exception as error:
        what = f"a defect of turnreel: {type(error).__name__}: {error}"
        examination.find(Finding(check="contract", message=what, remedy="please report it"))
    return examination.result()


class _Examination:
    def __init__(self, task: Task) -> None:
        self._task = task
        self._result = Result(path=task.path)
        self._cases: dict[Check, int] = {}
        self._findings: list[Finding] = []
        self._more: dict[Check, int] = {}

    def find(self, finding: Finding) -> None:
        """Keep a finding, or count it if its check has enough."""
        self._found(finding.check, lambda: finding)

    def _found(self, check: Check, explained: Callable[[], Finding]) -> None:
        """As `find`, where explaining costs more than counting."""
        if sum(one.check == check for one in self._findings) < SHOWN:
            self._findings.append(explained())
        else:
            self._more[check] = self._more.get(check, 0) + 1

    def result(self) -> Result:
        """What was found so far."""
        return replace(
            self._result, cases=self._cases, findings=tuple(self._findings), more=self._more
        )

    def run(self) -> None:
        """Everything that can be examined; what the form forbids is not tried."""
        self._count("form")
        recording = load(Path(self._task.path))
        header = recording.header
        self._result = replace(
            self._result,
            id=header.id,
            agent=" ".join(filter(None, (header.agent.name, header.agent.version))),
            dialects=tuple(one.dialect for one in header.tracks if one.carrier != "host"),
            records=len(recording.records),
        )
        self._form(recording)
        found = streams(recording.arrivals)
        self._breaches("bytes", recording, bytes_again(found))
        if recording.has_runs:
            self._turns(recording)
        if "rechunk" in self._task.sweeps:
            self._breaches("rechunk", recording, rechunk(found, self._task.seed))

    def _form(self, recording: Recording) -> None:
        if recording.seal is None:
            self.find(
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
                self.find(Finding(check="form", message=message, remedy=remedy))

    def _turns(self, recording: Recording) -> None:
        timeline = Timeline(recording)
        native = native_of(recording)
        runs = tuple(map(_word, fold(timeline.events)))
        self._result = replace(self._result, runs=runs)
        self._count("contract")
        for violation in judged(timeline.events, native):
            events = timeline.events
            self._found("contract", partial(explain.of_violation, violation, events, recording))
        self._count("golden")
        for finding in goldens.compare(recording.path, timeline.events):
            self.find(explain.of_golden(finding, timeline.events, recording))
        for check, cases in sweeps(timeline, native, self._task.seed):
            if check in self._task.sweeps:
                self._breaches(check, recording, cases)

    def _breaches(self, check: Check, recording: Recording, cases: Iterable[list[Breach]]) -> None:
        for breaches in cases:
            self._count(check)
            for breach in breaches:
                seed = self._task.seed
                self._found(check, partial(explain.of_breach, breach, recording, seed))

    def _count(self, check: Check) -> None:
        self._cases[check] = self._cases.get(check, 0) + 1


def _word(run: RunView) -> str:
    if run.terminal is None:
        return "open"
    code = f"({run.terminal.code})" if run.terminal.code else ""
    return f"{run.terminal.type}{code}"


def _known(dialect: str) -> bool:
    """Whether a track of this dialect may stand in a cassette: it has an adapter, a policy alone
    (what an agent keeps of a session), or no frames at all."""
    return dialect == registry.NO_DIALECT or registry.knows(dialect)
