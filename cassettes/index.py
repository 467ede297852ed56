"""Random access: from a record number on, without reading what stands before it.

A sealed compressed cassette carries an index; any other is read from its beginning. The index only
says where to look: it is checked against the file's size, and a wrong one is as good as none.
"""

from __future__ import annotations

import bisect
import itertools
import os
import struct
from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from .encodings import INDEX_MARK, SKIPPABLE_MAGIC, FrameStart
from .reader import Cassette, records_from_frame
from .records import Record
from .source import is_zstd, open_file

_TAIL = struct.Struct("<I4s")
_HEAD = struct.Struct("<II")
_INDEX_LIMIT = 64 * 1024 * 1024
_decode = msgspec.msgpack.Decoder(list[FrameStart]).decode


def records_from(cassette: Cassette, number: int) -> Iterator[Record]:
    """The records from `number` (from 1) to the end. Neither count nor digest is checked.

    Raises:
        CassetteError: as iterating does.
    """
    start = _frame_of(read_index(cassette), number)
    records = iter(cassette) if start is None else records_from_frame(cassette, start)
    return itertools.dropwhile(lambda record: record.number < number, records)


def read_index(cassette: Cassette) -> list[FrameStart]:
    """Where the frames of a compressed cassette begin; empty if it has no readable index.

    Raises:
        CassetteError: the file cannot be opened.
    """
    with open_file(cassette.path) as file:
        if not is_zstd(file.read(4)):
            return []
        return _read(file)


def _read(file: BinaryIO) -> list[FrameStart]:
    end = file.seek(0, os.SEEK_END)
    if end < _HEAD.size + _TAIL.size:
        return []
    file.seek(end - _TAIL.size)
    length, mark = _TAIL.unpack(file.read(_TAIL.size))
    begin = end - _TAIL.size - length - _HEAD.size
    if mark != INDEX_MARK or length > _INDEX_LIMIT or begin < 0:
        return []
    file.seek(begin)
    magic, size = _HEAD.unpack(file.read(_HEAD.size))
    if magic != SKIPPABLE_MAGIC or size != length + _TAIL.size:
        return []
    try:
        starts = _decode(file.read(length))
    except msgspec.DecodeError:
        return []
    return starts if _is_ordered(starts, begin) else []


def _is_ordered(starts: list[FrameStart], end: int) -> bool:
    inside = all(0 <= start.offset < end and start.number >= 1 for start in starts)
    return inside and all(
        a.offset < b.offset and a.number <= b.number and a.at_us <= b.at_us
        for a, b in itertools.pairwise(starts)
    )


def _frame_of(starts: list[FrameStart], number: int) -> FrameStart | None:
    """The last frame in which no later record than `number` begins; none for the first, which holds
    the header.
    """
    place = bisect.bisect_right(starts, number, key=lambda start: start.number) - 1
    return starts[place] if place > 0 else None
