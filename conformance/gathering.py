"""What is found on one recording, while it is looked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from .findings import Check, Finding, Result
from .recording import Recording

SHOWN: Final = 3
"""Findings of one check that are told in full; the others are counted."""


def result_of(recording: Recording) -> Result:
    """The result of a recording of which nothing was found yet."""
    header = recording.header
    return Result(
        path=str(recording.path),
        id=header.id,
        agent=" ".join(filter(None, (header.agent.name, header.agent.version))),
        dialects=tuple(one.dialect for one in header.tracks if one.carrier != "host"),
        records=len(recording.records),
    )


class Gathering:
    """Counts cases and keeps findings; `result` may be replaced as more is known of it."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self._cases: dict[Check, int] = {}
        self._findings: list[Finding] = []
        self._more: dict[Check, int] = {}

    def count(self, check: Check) -> None:
        """One more case was tried."""
        self._cases[check] = self._cases.get(check, 0) + 1

    def find(self, finding: Finding) -> None:
        """Keep a finding, or count it if its check has enough."""
        self.found(finding.check, lambda: finding)

    def found(self, check: Check, explained: Callable[[], Finding]) -> None:
        """As `find`, where explaining costs more than counting."""
        if sum(one.check == check for one in self._findings) < SHOWN:
            self._findings.append(explained())
        else:
            self._more[check] = self._more.get(check, 0) + 1

    def told(self) -> Result:
        """The result with everything so far."""
        return replace(
            self.result,
            cases={**self.result.cases, **self._cases},
            findings=(*self.result.findings, *self._findings),
            more=self._more,
        )
