"""What verification found: plain frozen values that travel between processes and into reports.

A *finding* is one thing that does not hold, explained from sanitized evidence alone (Q5). A
*result* is all that was found on one cassette, a *report* all results of one call.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

import msgspec

Check = Literal[
    "form", "scenario", "bytes", "golden", "contract", "tracks", "cut", "cancel", "duplicate",
    "prefix", "rechunk",
]  # fmt: skip
CHECKS: Final[tuple[Check, ...]] = get_args(Check)
"""All checks, in the order in which a table shows them."""

SWEEPS: Final[tuple[Check, ...]] = ("tracks", "cut", "cancel", "duplicate", "prefix", "rechunk")
"""The checks that feed a changed stream."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that does not hold.

    `clause` is the contract clause, empty where none speaks (a broken file). `place` is the
    record number at which a sweep changed the stream, `seed` what chose the place. `frames` are
    one-line summaries of the native records involved, `expected` and `actual` lines of the turn.
    """

    check: Check
    message: str
    clause: str = ""
    remedy: str = ""
    run_id: str = ""
    seq: int | None = None
    place: int | None = None
    seed: int | None = None
    frames: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    actual: tuple[str, ...] = ()


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One cassette. `runs` says how each run of the main thread ended, in order; `cases` counts
    what each check tried; `more` how many further findings a check had beyond those listed.
    Of a `scenario` that was played, `limits` are the subjects that the dialect declares it cannot
    tell, `skipped` is why it was not played at all, `expected` why it is known to fail.
    """

    path: str
    id: str = ""
    agent: str = ""
    dialects: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    records: int = 0
    cases: dict[Check, int] = {}
    findings: tuple[Finding, ...] = ()
    more: dict[Check, int] = {}
    scenario: str = ""
    limits: tuple[str, ...] = ()
    skipped: str = ""
    expected: str = ""

    @property
    def ok(self) -> bool:
        """Whether everything tried held, but for what is known to fail."""
        return not self.findings or bool(self.expected)


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All results, in the order of their paths. Equal for equal input, whatever the number of
    jobs; `seconds` apart.
    """

    seed: int
    sweeps: tuple[Check, ...]
    results: tuple[Result, ...]
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether every cassette passed. A report without cassettes is not ok."""
        return bool(self.results) and all(result.ok for result in self.results)


class Acceptance(msgspec.Struct, frozen=True, kw_only=True):
    """A golden that was written, or was as it should be. `difference` is a unified diff, empty
    if nothing changed.
    """

    cassette: str
    golden: str
    state: Literal["new", "changed", "unchanged"]
    difference: str = ""
