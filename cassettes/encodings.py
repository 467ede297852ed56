"""How lines become a file's bytes: as they are, or as independent zstd frames with an index.

An index entry is where a frame begins: its offset in the file, the number of the first record that
begins in it, and the time before that record. The index lies in a skippable frame at the end, which
decompressors pass over; its last eight bytes are its length and `INDEX_MARK`, so that it is found
from the end.
"""

from __future__ import annotations

import struct
import threading
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

import msgspec

FRAME_BYTES: Final = 64 * 1024
"""Uncompressed bytes after which a frame ends."""

LEVEL: Final = 3
SKIPPABLE_MAGIC: Final = 0x184D2A5E
INDEX_MARK: Final = b"TRIX"


class TimedLine(NamedTuple):
    """A record's line and the microseconds since the record before it."""

    us: int
    line: bytes


class FrameStart(msgspec.Struct, frozen=True, array_like=True):
    """Where a frame begins."""

    offset: int
    number: int
    at_us: int


class Encoding(Protocol):
    """Takes lines in order, gives the bytes to write."""

    def begin(self, header: bytes) -> bytes:
        """The header's bytes. They are to be written together with the first record's."""

    def add(self, lines: Sequence[TimedLine]) -> bytes:
        """The bytes that became ready; they may be none."""

    def flush(self) -> bytes:
        """The bytes held back."""

    def finish(self, seal: bytes) -> bytes:
        """The rest, with the seal's line."""


class Plain:
    """Lines as they are."""

    def begin(self, header: bytes) -> bytes:
        return header

    def add(self, lines: Sequence[TimedLine]) -> bytes:
        return b"".join([line for _, line in lines])

    def flush(self) -> bytes:
        return b""

    def finish(self, seal: bytes) -> bytes:
        return seal


class Frames:
    """Independent zstd frames of whole lines. Belongs to the thread that made it: a compressor used
    by two crashes the process.
    """

    def __init__(self) -> None:
        import zstandard

        self._compressor = zstandard.ZstdCompressor(level=LEVEL)
        self._owner = threading.get_ident()
        self._pending = bytearray()
        self._starts: list[FrameStart] = []
        self._written = 0
        self._number = 1  # of the next record
        self._at_us = 0

    def begin(self, header: bytes) -> bytes:
        self._take(header)
        return b""

    def add(self, lines: Sequence[TimedLine]) -> bytes:
        ready = b""
        for us, line in lines:
            self._take(line)
            self._number += 1
            self._at_us += us
            if len(self._pending) >= FRAME_BYTES:
                ready += self.flush()
        return ready

    def flush(self) -> bytes:
        if threading.get_ident() != self._owner:
            raise RuntimeError("a compressed cassette is written by one thread")
        if not self._pending:
            return b""
        frame = self._compressor.compress(bytes(self._pending))
        self._pending.clear()
        self._written += len(frame)
        return frame

    def finish(self, seal: bytes) -> bytes:
        self._take(seal)
        return self.flush() + index_frame(self._starts)

    def _take(self, line: bytes) -> None:
        if not self._pending:
            self._starts.append(FrameStart(self._written, self._number, self._at_us))
        self._pending += line


def index_frame(starts: list[FrameStart]) -> bytes:
    """The trailing skippable frame that holds an index."""
    index = msgspec.msgpack.encode(starts)
    payload = index + struct.pack("<I", len(index)) + INDEX_MARK
    return struct.pack("<II", SKIPPABLE_MAGIC, len(payload)) + payload
