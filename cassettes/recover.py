"""Sealing what a killed recorder left."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Final

from .encodings import TimedLine
from .errors import CassetteError
from .header import Seal
from .reader import open_cassette
from .target import Existing, Target

UNCHECKED: Final = ("literals",)
"""The check that only the recorder could make: its own secrets and names, which it held in
memory.
"""

_BATCH = 512


def recover(path: str | Path, out: str | Path | None = None) -> Seal:
    """Seals an interrupted cassette up to its last whole record, into `out` or in its own place.

    In its own place the file is replaced only when the sealed one is whole; of what was there
    nothing goes but a last record that was cut. The seal says that it was recovered and which check
    could not be repeated.

    Raises:
        CassetteError: it is sealed already, cannot be read, or `out` exists.
    """
    cassette = open_cassette(path)
    records, _, seal = cassette.ending()
    if seal is not None:
        raise CassetteError(cassette.path, "is sealed already", "nothing to recover")
    target = _target(cassette.path, None if out is None else Path(out))
    try:
        lines = cassette.lines()
        target.begin(_whole(next(lines)))
        timed = (TimedLine(_us(line), _whole(line)) for line in itertools.islice(lines, records))
        while batch := list(itertools.islice(timed, _BATCH)):
            target.append(batch)
        return target.seal_recovered(UNCHECKED)
    finally:
        target.close()


def _target(path: Path, out: Path | None) -> Target:
    if out is None or out == path:
        return Target(path, Existing.REPLACE)
    return Target(out)


def _whole(line: bytes) -> bytes:
    return line if line.endswith(b"\n") else line + b"\n"


def _us(line: bytes) -> int:
    """The time of a line that was read as a record before."""
    return int(line[1 : line.index(b",")])
