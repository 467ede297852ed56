"""Commands are tested as people meet them: as processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.captures import COMPLETED, write_capture
from tests.cli.command import Answer, Turnreel
from tests.collecting import collected
from turnreel.adapters.claude_stream_json.render import lines
from turnreel.recorder.captures import import_capture

_collected = pytest.fixture(autouse=True)(collected)


@pytest.fixture
def turnreel(tmp_path: Path) -> Turnreel:
    """Run ``turnreel`` with these words in an empty folder; `stdin` is given to it as bytes."""

    def run(*words: str | Path, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Answer:
        child = subprocess.run(
            [sys.executable, "-m", "turnreel", *map(str, words)],
            input=stdin, capture_output=True, cwd=tmp_path, check=False, timeout=60,
            env={**os.environ, **(env or {})},
        )  # fmt: skip
        return Answer(child.returncode, child.stdout.decode(), child.stderr.decode())

    return run


@pytest.fixture(scope="session")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a sealed cassette of one completed turn."""
    folder = tmp_path_factory.mktemp("sealed")
    target = folder / "good.cassette.jsonl"
    import_capture(write_capture(folder / "good.jsonl", lines(COMPLETED)), target)
    return target.read_bytes()
