"""What a command does where a standard stream is closed, or cannot print a name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = [
    (("events", "good.cassette.jsonl"), 0),
    (("status", "good.cassette.jsonl"), 0),
    (("show", "good.cassette.jsonl"), 0),
    (("lint", "good.cassette.jsonl"), 0),
    (("adapters",), 0),
    (("shim", "--pacing", "max", "good.cassette.jsonl"), 2),  # nobody says what it waits for
    (("translate",), 0),
    (("events", "absent.cassette.jsonl"), 2),
]


@pytest.mark.parametrize(("words", "status"), COMMANDS, ids=lambda words: str(words))
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_as_good_as_dev_null(
    tmp_path: Path, sealed: bytes, words: tuple[str, ...], status: int, closed: str
) -> None:
    """And what is meant for it never lands in a file that took its number."""
    cassette = tmp_path / "good.cassette.jsonl"
    cassette.write_bytes(sealed)
    child = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-m", "turnreel", *words],
        stdin=subprocess.DEVNULL, capture_output=True, cwd=tmp_path, check=False, timeout=30,
    )  # fmt: skip
    assert child.returncode == status
    assert b"defect" not in child.stderr
    assert cassette.read_bytes() == sealed


@pytest.mark.parametrize("encoding", ["utf-8:strict", "ascii:strict", "latin-1:strict"])
@pytest.mark.parametrize("command", ["lint", "verify", "status"])
def test_every_file_name_can_be_printed(
    tmp_path: Path, sealed: bytes, encoding: str, command: str
) -> None:
    name = b"caf\xe9 \xe2\x80\xa6.cassette.jsonl"
    (tmp_path / os.fsdecode(name)).write_bytes(sealed)
    child = subprocess.run(
        [sys.executable, "-m", "turnreel", command, name],
        capture_output=True, cwd=tmp_path, check=False, timeout=60,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )  # fmt: skip
    assert child.stderr == b""
    assert child.returncode == (1 if command == "verify" else 0)  # its golden is missing
