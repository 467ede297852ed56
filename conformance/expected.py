"""Failures that are known: a file that says which, why, and where that is being talked about (Q4)::

    [[failure]]
    dialect = "acme-stream"
    scenario = "told-again"
    reason = "the runtime gives its frames no identity"
    url = "https://example.org/acme/12"

What is listed does not fail a run. An entry that no longer fails does, so that none outlives its
cause.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from .errors import ConformanceError
from .findings import Finding, Report, Result

_SHAPE: Final = "[[failure]] with dialect, scenario, reason and url"


class Failure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario that a dialect is known to fail."""

    dialect: str
    scenario: str
    reason: str
    url: str

    def __post_init__(self) -> None:
        if not self.reason.strip():
            raise ValueError("a reason must say something")
        if not self.url.startswith(("https://", "http://")):
            raise ValueError("a url begins with https://")


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    failure: tuple[Failure, ...] = ()


def read(path: Path) -> tuple[Failure, ...]:
    """The failures that the file at `path` lists. Raises `ConformanceError` for what is none."""
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _File).failure
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise ConformanceError(f"{path}: {reason}", "name a file") from None
    except ValueError as error:  # of TOML, UTF-8 and msgspec
        raise ConformanceError(f"{path}: {error}", f"it holds {_SHAPE}") from None


def apply(report: Report, failures: Sequence[Failure]) -> Report:
    """The report in which what is expected fails nothing, and what is stale does. Entries for what
    was not tried say nothing.
    """
    by_place = {(one.dialect, one.scenario): one for one in failures}
    results = (_judged(result, by_place.get(_place(result))) for result in report.results)
    return replace(report, results=tuple(results))


def _judged(result: Result, failure: Failure | None) -> Result:
    if failure is None:
        return result
    if result.findings:
        return replace(result, expected=f"{failure.reason} ({failure.url})")
    return replace(result, findings=tuple(_stale(failure)))


def _stale(failure: Failure) -> Iterable[Finding]:
    yield Finding(
        check="scenario",
        clause="Q4",
        message=f"does not fail any more: {failure.reason} ({failure.url})",
        remedy="take the entry out of the file",
    )


def _place(result: Result) -> tuple[str, str]:
    return (result.dialects[0] if result.dialects else "", result.scenario)
