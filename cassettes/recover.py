"""Sealing what a killed recorder left."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from .encodings import FRAME_BYTES, TimedLine
from .errors import CassetteError
from .header import Seal
from .reader import Cassette, open_cassette
from .source import open_file
from .target import Existing, Target, lock

UNCHECKED: Final = ("literals",)
"""The check that only the recorder could make: its own secrets and names, which it held in
memory.
"""


def recover(path: str | Path, out: str | Path | None = None) -> Seal:
    """Seals an interrupted cassette up to its last whole record, into `out` or in its own place.

    In its own place the file is replaced only when the sealed one is whole; of what was there
    nothing goes but a last record that was cut. The seal says that it was recovered and which check
    could not be repeated.

    Raises:
        CassetteError: it is sealed already or still being recorded, cannot be read, or `out`
            exists. Nothing was written then.
    """
    path = Path(path)
    with open_file(path) as file:
        if not lock(file.fileno()):
            raise CassetteError(path, "is being recorded right now", "end the recording first")
        cassette = open_cassette(path)
        records = _records(cassette)
        target = _target(path, None if out is None else Path(out))
        try:
            lines = cassette.lines()
            target.begin(_whole(next(lines)))
            whole = (line for line in lines if line.strip())  # blank ones mean nothing
            for batch in _batches(itertools.islice(whole, records)):
                target.append(batch)
            return target.seal_recovered(UNCHECKED)
        finally:
            target.discard()


def _records(cassette: Cassette) -> int:
    """How many whole records it has. Each is decoded: what nobody can read is not sealed."""
    records, _, seal = cassette.ending()
    if seal is not None:
        raise CassetteError(cassette.path, "is sealed already", "nothing to recover")
    for record in cassette:
        _ = record.data, record.extra
    return records


def _target(path: Path, out: Path | None) -> Target:
    if out is None or (out.exists() and out.samefile(path)):
        return Target(path.resolve(), Existing.REPLACE)
    return Target(out)


def _batches(lines: Iterable[bytes]) -> Iterator[list[TimedLine]]:
    """The lines in batches of about a frame, however long they are."""
    batch: list[TimedLine] = []
    size = 0
    for line in lines:
        batch.append(TimedLine(_us(line), _whole(line)))
        size += len(line)
        if size >= FRAME_BYTES:
            yield batch
            batch, size = [], 0
    yield batch


def _whole(line: bytes) -> bytes:
    return line if line.endswith(b"\n") else line + b"\n"


def _us(line: bytes) -> int:
    """The time of a line that was read as a record before."""
    return int(line[1 : line.index(b",")])
