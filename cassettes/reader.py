"""Reading: a stream of records under bounds, checked against its seal.

A reader ignores codes and fields it does not know, and blank lines; it refuses newer majors. A file
without a seal is *interrupted*: it reads to its last whole record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from turnreel.wire.json_style import DEPTH_LIMIT, nests_deep

from .encodings import FrameStart
from .errors import CassetteError
from .header import (
    FORMAT,
    Header,
    Seal,
    digest_word,
    is_cut_header,
    read_header,
    read_major,
    read_seal,
)
from .records import LINE_LIMIT, Line, Record
from .source import chunks

_lines = msgspec.json.Decoder(Line)
_TOO_LONG = f"longer than {LINE_LIMIT // 1024 // 1024} MiB"
_UNTRUSTED = "no recorder wrote this: do not trust it"
_MAY_BE_DEEP = 2 * DEPTH_LIMIT  # a shorter document cannot be
_UNREADABLE = (msgspec.DecodeError, RecursionError, UnicodeDecodeError)


class Ending(NamedTuple):
    """How a cassette ends: records and microseconds up to there, and its seal unless it was
    interrupted."""

    records: int
    at_us: int
    seal: Seal | None


class Cassette:
    """A cassette on disk. Each iteration streams it anew in bounded memory, and checks count and
    digest where the seal comes.

    Iterating raises `CassetteError` with file and line at the first line that is wrong: what stands
    before it was yielded.
    """

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self.header = header

    def __iter__(self) -> Iterator[Record]:
        return _Pass(self.path).records()

    def ending(self) -> Ending:
        """How it ends. Reads and checks the whole cassette.

        Raises:
            CassetteError: as iterating does.
        """
        whole = _Pass(self.path)
        records = at_us = 0
        for record in whole.records():
            records, at_us = record.number, record.at_us
        return Ending(records, at_us, whole.seal)

    @property
    def seal(self) -> Seal | None:
        """The seal, or None if the cassette was interrupted: `ending().seal`."""
        return self.ending().seal

    def lines(self) -> Iterator[bytes]:
        """The uncompressed lines, header first, as they stand and unchecked; the last one may lack
        its newline.

        Raises:
            CassetteError: unreadable, or a line beyond the bound.
        """
        for block in _Pass(self.path).blocks():
            *whole, cut = block.split(b"\n")
            for line in whole:
                yield line + b"\n"
            if cut:
                yield cut


def open_cassette(path: str | Path) -> Cassette:
    """The cassette at `path`, plain or zstd by its content; only the header is read yet.

    Raises:
        CassetteError: unreadable, empty, not a cassette, or of a newer major.
    """
    path = Path(path)
    return Cassette(path, _parse_header(path, _first_line(path)))


def records_from_frame(cassette: Cassette, start: FrameStart) -> Iterator[Record]:
    """The records from a later frame of a compressed cassette on. The seal is not checked, as what
    it counts was not read.

    Raises:
        CassetteError: a line is wrong.
    """
    return _Pass(cassette.path).records_from(start)


class _Pass:
    """One pass over a file: lines in order, each checked for what may stand there."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0
        self._digest = hashlib.sha256()
        self._number = 0  # of the last record
        self._at_us = 0
        self.seal: Seal | None = None

    def records(self) -> Iterator[Record]:
        blocks = self.blocks()
        head, newline, rest = next(blocks, b"").partition(b"\n")
        self._digest.update(head + newline)
        if rest:
            yield from self._block(rest)
        for block in blocks:
            yield from self._block(block)

    def records_from(self, start: FrameStart) -> Iterator[Record]:
        self._offset, self._number, self._at_us = start.offset, start.number - 1, start.at_us
        for block in self.blocks():
            yield from self._block(block)

    def blocks(self) -> Iterator[bytes]:
        """The file in blocks of whole lines; what follows the last newline comes last, alone."""
        rest = b""
        for chunk in chunks(self._path, self._offset):
            end = chunk.rfind(b"\n") + 1
            if not end:
                rest += chunk
            else:
                block = rest + chunk[:end]
                if rest and block.find(b"\n") > LINE_LIMIT:
                    raise self._too_long()
                rest = chunk[end:]
                yield block
            if len(rest) > LINE_LIMIT:
                raise self._too_long()
        if rest:
            yield rest

    def _block(self, block: bytes) -> Iterator[Record]:
        if self.seal is not None:
            raise self._after_seal(block)
        last = block.rfind(b"\n", 0, -1) + 1
        if block[last : last + 1] == b"{":  # where a seal stands in nearly every cassette
            yield from self._records(block[:last])
            self._take_seal(block[last:])
        else:
            yield from self._records(block)

    def _records(self, lines: bytes) -> Iterator[Record]:
        try:
            decoded = _lines.decode_lines(lines)
        except _UNREADABLE:
            yield from self._one_by_one(lines)
            return
        self._digest.update(lines)
        number, at_us = self._number, self._at_us
        for line in decoded:
            data, extra = bytes(line.data), bytes(line.extra)
            number += 1
            if len(data) > _MAY_BE_DEEP or len(extra) > _MAY_BE_DEEP:
                self._number = number - 1
                self._refuse_deep(data, extra)
            at_us += line.us
            yield Record(number, at_us, line.track, line.code, data, extra, self._path)
        self._number, self._at_us = number, at_us

    def _one_by_one(self, lines: bytes) -> Iterator[Record]:
        """The records before a wrong line, then its error; or before a seal that more lines follow.
        A last line that was cut is none."""
        *whole, cut = lines.split(b"\n")
        for source in whole:
            if self.seal is not None:
                raise self._after_seal(source)
            if not source.strip():
                self._digest.update(source + b"\n")
                continue
            if read_seal(source) is not None:
                self._take_seal(source + b"\n")
                continue
            try:
                line = _lines.decode(source)
            except RecursionError:
                raise self._too_deep() from None
            except _UNREADABLE as error:
                what = f"neither a record nor a seal: {_plainly(error)}"
                raise self._error(what, "restore the file from where it came from") from None
            self._digest.update(source + b"\n")
            yield self._record(line)
        if cut:
            with suppress(*_UNREADABLE):
                yield self._record(_lines.decode(cut))

    def _record(self, line: Line) -> Record:
        data, extra = bytes(line.data), bytes(line.extra)
        self._refuse_deep(data, extra)
        self._number += 1
        self._at_us += line.us
        return Record(self._number, self._at_us, line.track, line.code, data, extra, self._path)

    def _take_seal(self, line: bytes) -> None:
        if self.seal is not None:
            raise self._after_seal(line)
        seal = read_seal(line)
        if seal is None:
            if line.endswith(b"\n"):
                raise self._error("neither a record nor a seal", "restore the file")
            return  # a seal that was cut is none
        changed = "restore the file: it was changed after recording"
        if seal.records != self._number:
            what = f"the seal counts {seal.records} records, the file holds {self._number}"
            raise self._error(what, changed)
        if self._offset == 0 and seal.digest != digest_word(self._digest):
            raise self._error("the digest in the seal is not the file's", changed)
        self.seal = seal

    def _refuse_deep(self, *sources: bytes) -> None:
        for source in sources:
            if nests_deep(source):
                raise self._too_deep()

    def _after_seal(self, block: bytes) -> CassetteError:
        second = read_seal(block.partition(b"\n")[0])
        what = "a second seal" if second else "a line after the seal"
        remedy = "remove what follows the first seal"
        return CassetteError(self._path, what, remedy, self._number + 3)

    def _too_deep(self) -> CassetteError:
        return self._error(f"nested deeper than {DEPTH_LIMIT} levels", _UNTRUSTED)

    def _too_long(self) -> CassetteError:
        return self._error(_TOO_LONG, _UNTRUSTED)

    def _error(self, what: str, remedy: str) -> CassetteError:
        """An error at the line after the last record."""
        return CassetteError(self._path, what, remedy, self._number + 2)


def _first_line(path: Path) -> bytes:
    head = b""
    for chunk in chunks(path):
        line, newline, _ = chunk.partition(b"\n")
        head += line
        if newline:
            break
        if len(head) > LINE_LIMIT:
            break
    if not head:
        what = "the file is empty"
        if path.stat().st_size:  # a compressed one, of which nothing comes
            what += ", or ends inside its first frame"
        raise CassetteError(path, what, "record again: nothing was recorded")
    return head


def _parse_header(path: Path, line: bytes) -> Header:
    major = read_major(line)
    if len(line) > LINE_LIMIT and is_cut_header(line):
        raise CassetteError(path, _TOO_LONG, _UNTRUSTED, 1)
    if major is None and is_cut_header(line):
        raise CassetteError(path, "ends inside its header", "record again: nothing was recorded", 1)
    if major is None or major < 1:
        raise CassetteError(
            path, "not a cassette", "`turnreel import` makes one from other recordings", 1
        )
    if major > FORMAT:
        raise CassetteError(
            path, f"format {major}, this turnreel reads up to {FORMAT}", "upgrade turnreel", 1
        )
    try:
        return read_header(line)
    except _UNREADABLE as error:
        raise CassetteError(path, f"bad header: {_plainly(error)}", "restore the file", 1) from None


def _plainly(error: BaseException) -> str:
    return str(error).partition("\n")[0].lower() or type(error).__name__
