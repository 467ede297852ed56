"""Programs that a test starts: turnreel itself, and scripts that stand for an agent."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

TURNREEL: Final = (sys.executable, "-P", "-m", "turnreel")
"""This very installation, whatever PATH and working folder a host gives its agent."""


def executable(folder: Path, name: str, lines: Sequence[str]) -> Path:
    """A shell script called `name` in a folder of its own below `folder`, which can stand on a
    PATH.
    """
    place = folder / "turnreel-bin"
    place.mkdir(exist_ok=True)
    program = place / name
    program.write_text("".join(f"{line}\n" for line in ("#!/bin/sh", *lines)), encoding="utf-8")
    program.chmod(0o755)
    return program
