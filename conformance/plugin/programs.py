"""Programs that a test starts: turnreel itself, and scripts that stand for an agent."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

TURNREEL: Final = (sys.executable, "-P", "-m", "turnreel")
"""This very installation, whatever PATH and working folder a host gives its agent."""


def place(folder: Path) -> Path:
    """A folder below `folder` for a test's agent alone: it can stand on a PATH."""
    return folder / "turnreel-bin"


def script(folder: Path, name: str, lines: Sequence[str]) -> Path:
    """A shell script called `name` in the `place` of `folder`."""
    place(folder).mkdir(exist_ok=True)
    program = place(folder) / name
    program.write_text("".join(f"{line}\n" for line in ("#!/bin/sh", *lines)), encoding="utf-8")
    program.chmod(0o755)
    return program
