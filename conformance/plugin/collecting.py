"""Cassettes as tests of their own: what ``turnreel verify`` finds, one item each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from turnreel.conformance.discovery import ENDINGS
from turnreel.conformance.examination import Task, examine
from turnreel.conformance.findings import SWEEPS, Result
from turnreel.conformance.project import cassette_places, is_collected
from turnreel.conformance.reports import explain
from turnreel.conformance.verify import DEFAULT_SEED
from turnreel.wire.errors import TurnreelError

_PLACES: Final = pytest.StashKey[tuple[Path, ...]]()


class BrokenRecording(Exception):
    """Something of a recording does not hold."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.path)
        self.result = result


def collected(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The file as a collector, if it was named on the command line or the project collects it."""
    if not file_path.name.endswith(ENDINGS):
        return None
    if not parent.session.isinitpath(file_path) and not _is_collected(file_path, parent.config):
        return None
    collector: pytest.Collector = CassetteFile.from_parent(parent, path=file_path)
    return collector


class CassetteFile(pytest.File):
    """A cassette."""

    def collect(self) -> Iterator[pytest.Item]:
        yield CassetteItem.from_parent(self, name="verify")


class CassetteItem(pytest.Item):
    """A cassette is verified: form, bytes, contract, golden, sweeps."""

    def runtest(self) -> None:
        result = examine(Task(str(self.path), DEFAULT_SEED, SWEEPS))
        if not result.ok:
            raise BrokenRecording(result)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        """The findings, as ``turnreel verify`` prints them."""
        error = excinfo.value
        if not isinstance(error, BrokenRecording):
            return str(super().repr_failure(excinfo))
        result = error.result
        lines = [line for finding in result.findings for line in explain(finding)]
        lines += [f"{more} more findings of {check}" for check, more in result.more.items()]
        return "\n".join(lines)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, f"recording {self.path.name}"


def _is_collected(file_path: Path, config: pytest.Config) -> bool:
    places = config.stash.get(_PLACES, None)
    if places is None:
        places = config.stash[_PLACES] = _places(config.rootpath)
    return any(file_path == place or place in file_path.parents for place in places)


def _places(root: Path) -> tuple[Path, ...]:
    try:
        return cassette_places(root) if is_collected(root) else ()
    except TurnreelError as error:
        raise pytest.UsageError(f"turnreel: {error}") from None
