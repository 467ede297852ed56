"""One cassette, examined: form, bytes, contract, golden, sweeps. Runs in a process of its own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from turnreel.adapters import registry
from turnreel.lifecycle.fold import RunView, fold
from turnreel.wire.errors import TurnreelError

from . import explain, goldens
from .findings import Check, Finding, Result
from .judging import judged
from .native import native_of
from .recording import Recording, load
from .sweeps.breach import Breach
from .sweeps.cancel import cancel_and_end, cancel_and_go_on
from .sweeps.cut import cut
from .sweeps.duplicate import duplicate
from .sweeps.hosts import Host
from .sweeps.places import places
from .sweeps.prefix import prefix
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
        self._recording: Recording | None = None
        self._runs: tuple[str, ...] = ()
        self._cases: dict[Check, int] = {}
        self._findings: list[Finding] = []
        self._more: dict[Check, int] = {}

    def find(self, finding: Finding) -> None:
        """Keep a finding, or count it if its check has enough."""
        kept = sum(one.check == finding.check for one in self._findings)
        if kept < SHOWN:
            self._findings.append(finding)
        else:
            self._more[finding.check] = self._more.get(finding.check, 0) + 1

    def result(self) -> Result:
        """What was found so far."""
        header = self._recording.header if self._recording else None
        return Result(
            path=self._task.path,
            id=header.id if header else "",
            agent=" ".join(filter(None, (header.agent.name, header.agent.version)))
            if header
            else "",
            dialects=tuple(t.dialect for t in header.tracks if t.carrier != "host")
            if header
            else (),
            runs=self._runs,
            records=len(self._recording.records) if self._recording else 0,
            cases=self._cases,
            findings=tuple(self._findings),
            more=self._more,
        )

    def run(self) -> None:
        """Everything that can be examined; what the form forbids is not tried."""
        self._count("form")
        recording = self._recording = load(Path(self._task.path))
        self._form(recording)
        found = streams(recording.arrivals)
        self._breaches("bytes", bytes_again(found))
        if recording.has_runs:
            self._turns(recording)
        if "rechunk" in self._task.sweeps:
            self._breaches("rechunk", rechunk(found, self._task.seed))

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
            if track.carrier != "host" and track.dialect not in registry.dialects():
                message = f"track {track.id}: no adapter for the dialect {track.dialect!r}"
                remedy = f"known: {', '.join(registry.dialects())}"
                self.find(Finding(check="form", message=message, remedy=remedy))

    def _turns(self, recording: Recording) -> None:
        timeline = Timeline(recording)
        native = native_of(recording)
        self._runs = tuple(map(_word, fold(timeline.events)))
        self._count("contract")
        for violation in judged(timeline.events, native):
            self.find(explain.of_violation(violation, timeline.events, recording))
        self._count("golden")
        for finding in goldens.compare(recording.path, timeline.events):
            self.find(finding)
        chosen = places(timeline, self._task.seed)
        host = Host(timeline.arrivals, native)
        for check, cases in (
            ("cut", cut(timeline, chosen, host)),
            ("cancel", cancel_and_end(timeline, chosen)),
            ("cancel", cancel_and_go_on(timeline, chosen)),
            ("duplicate", duplicate(timeline, chosen)),
            ("prefix", prefix(timeline, chosen)),
        ):
            if check in self._task.sweeps:
                self._breaches(check, cases)

    def _breaches(self, check: Check, cases: Iterable[list[Breach]]) -> None:
        recording = self._recording
        assert recording is not None
        for breaches in cases:
            self._count(check)
            for breach in breaches:
                self.find(explain.of_breach(breach, recording, self._task.seed))

    def _count(self, check: Check) -> None:
        self._cases[check] = self._cases.get(check, 0) + 1


def _word(run: RunView) -> str:
    if run.terminal is None:
        return "open"
    code = f"({run.terminal.code})" if run.terminal.code else ""
    return f"{run.terminal.type}{code}"
