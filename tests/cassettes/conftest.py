"""Cassettes made by the real writer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cassettes.making import OUTLINE, REPORT, line
from turnreel.cassettes import CassetteWriter


@pytest.fixture(params=["t.cassette.jsonl", "t.cassette.jsonl.zst"], ids=["plain", "zst"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Where a cassette may be written, in each encoding."""
    return tmp_path / str(request.param)


@pytest.fixture
def written(path: Path) -> Callable[[int], Path]:
    """Writes and seals a cassette of so many records."""

    def write(count: int) -> Path:
        with CassetteWriter(path, OUTLINE) as writer:
            writer.write_all(line(n) for n in range(count))
            writer.seal(REPORT)
        return path

    return write
