"""A cassette's uncompressed bytes, whatever its encoding, under bounds.

Which encoding a file has is told by its first bytes, never by its name.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from .errors import CassetteError, os_reason

ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"
CHUNK: Final = 256 * 1024
"""Bytes read at a time."""

WINDOW_LIMIT: Final = 16 * 1024 * 1024
EXPANSION_FLOOR: Final = 64 * 1024 * 1024
EXPANSION_LIMIT: Final = 1000
"""A zstd cassette may expand to so many times its size, once it is past the floor. Real ones stay
under fifty."""


def is_zstd(head: bytes) -> bool:
    """Whether a file that begins with these bytes is compressed: a frame, or a skippable frame."""
    return head[:4] == ZSTD_MAGIC or (head[1:4] == b"\x2a\x4d\x18" and 0x50 <= head[0] <= 0x5F)


def open_file(path: Path) -> BinaryIO:
    """The file, unbuffered, at its beginning.

    Raises:
        CassetteError: it cannot be opened, or opening it could wait for ever.
    """
    try:
        mode = path.stat().st_mode
        if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
            # A cassette is read more than once, and nobody may ever write there.
            raise CassetteError(path, "a pipe is no file", "write it to a file first")
        return path.open("rb", buffering=0)
    except OSError as error:
        remedy = "name a cassette file" if path.is_dir() else "check the path and its permissions"
        raise CassetteError(path, os_reason(error), remedy) from error


def chunks(path: Path, offset: int = 0) -> Iterator[bytes]:
    """The uncompressed bytes in chunks of at most `CHUNK`, from the first on, or from the frame
    that begins at `offset` of a compressed file.

    A compressed file that was cut gives what can be had of it.

    Raises:
        CassetteError: unreadable, damaged, or expanding beyond the bound.
    """
    with open_file(path) as file:
        try:
            head = file.read(4)
            file.seek(offset)
            yield from (_expanded(path, file, offset) if is_zstd(head) else _plain(file))
        except OSError as error:
            raise CassetteError(path, os_reason(error), "check the path and its medium") from error


def _plain(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk


def _expanded(path: Path, file: BinaryIO, offset: int) -> Iterator[bytes]:
    import zstandard

    expanded = 0
    reader = zstandard.ZstdDecompressor(max_window_size=WINDOW_LIMIT).stream_reader(
        file, read_across_frames=True, closefd=False
    )
    while True:
        try:
            chunk = reader.read(CHUNK)
        except zstandard.ZstdError as error:
            raise CassetteError(path, f"damaged: {_first_line(error)}", "record again") from error
        if not chunk:
            return
        expanded += len(chunk)
        if expanded > max(EXPANSION_FLOOR, EXPANSION_LIMIT * (file.tell() - offset)):
            raise CassetteError(
                path, f"expands beyond {EXPANSION_LIMIT} times its size", "not a cassette to trust"
            )
        yield chunk


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
