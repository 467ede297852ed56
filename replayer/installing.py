"""Shims as executables, for hosts that start the agent themselves: found before the agent on PATH,
or given to an SDK as the agent's program.
"""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import Final

import msgspec

from turnreel.adapters.standin import executable

from .errors import ReplayError

MARK: Final = "# A turnreel shim: it plays a recording of the agent; remove it to undo."

_HEAD_BYTES: Final = 1024


class Shim(msgspec.Struct, frozen=True, kw_only=True):
    """What an installed shim plays: a cassette, and the plan as the command line says it."""

    cassette: str
    faults: tuple[str, ...] = ()
    plan_file: str | None = None
    pacing: str | None = None
    seed: int | None = None


def install(shim: Shim, where: Path, name: str) -> Path:
    """Put the executable into the folder `where` under the agent's `name`, in the place of an older
    shim. Returns its path. Raises `ReplayError`: something else has the name, or the folder cannot
    be written.
    """
    path = where / name
    if path.exists() and not is_shim(path):
        raise ReplayError(f"{path}: exists already, and is no shim", "choose another folder")
    try:
        where.mkdir(parents=True, exist_ok=True)
        beside = where / f".{name}-{secrets.token_hex(4)}"
        beside.write_text(script(shim), encoding="utf-8")
        beside.chmod(0o755)
        beside.replace(path)
    except OSError as error:
        raise ReplayError(
            f"{error.filename}: {(error.strerror or 'cannot be written').lower()}",
            "choose a folder that can be written",
        ) from None
    return path


def script(shim: Shim) -> str:
    """The executable's text: what it plays is written into it."""
    said = msgspec.json.encode(shim).decode()
    program = f"from turnreel.cli.shimmed import be\nbe({said!r})\n"
    return executable(sys.executable, MARK, program)


def is_shim(path: Path) -> bool:
    """Whether a file is one of these executables, whatever it is called."""
    try:
        with path.open("rb") as file:
            return MARK.encode() in file.read(_HEAD_BYTES)
    except OSError:
        return False
