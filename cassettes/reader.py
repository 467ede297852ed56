"""Reading: a stream of records under bounds, checked against its seal.

A reader ignores codes and fields it does not know and refuses newer majors. A file without a seal
is *interrupted*: it reads to its last whole record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from .errors import CassetteError
from .header import FORMAT, Header, Seal, digest_word, read_header, read_major, read_seal
from .records import LINE_LIMIT, Line, Record
from .source import chunks

_lines = msgspec.json.Decoder(Line)
_UNREADABLE = (msgspec.DecodeError, RecursionError, UnicodeDecodeError)


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

    @property
    def seal(self) -> Seal | None:
        """The seal, or None if the cassette was interrupted. Reads and checks the whole cassette.

        Raises:
            CassetteError: as iterating does.
        """
        whole = _Pass(self.path)
        for _ in whole.records():
            pass
        return whole.seal


def open_cassette(path: str | Path) -> Cassette:
    """The cassette at `path`, plain or zstd by its content; only the header is read yet.

    Raises:
        CassetteError: unreadable, empty, not a cassette, or of a newer major.
    """
    path = Path(path)
    return Cassette(path, _parse_header(path, _first_line(path)))


class _Pass:
    """One pass over a file: lines in order, each checked for what may stand there."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._digest = hashlib.sha256()
        self._number = 0  # of the last record
        self._at_us = 0
        self.seal: Seal | None = None

    def records(self) -> Iterator[Record]:
        blocks = _whole_lines(self._path)
        first = next(blocks, b"")
        head, newline, rest = first.partition(b"\n")
        self._digest.update(head + newline)
        yield from self._block(rest)
        for block in blocks:
            yield from self._block(block)

    def _block(self, block: bytes) -> Iterator[Record]:
        """The records of some whole lines; only the last line of the file may lack its newline."""
        if not block:
            return
        if self.seal is not None:
            raise self._after_seal(block)
        place = 0 if block[:1] == b"{" else block.find(b"\n{") + 1
        lines = block if place == 0 and block[:1] != b"{" else block[:place]
        self._digest.update(lines)
        yield from self._decoded(lines)
        if len(lines) < len(block):
            self._take_seal(block[len(lines) :])

    def _decoded(self, lines: bytes) -> Iterator[Record]:
        try:
            decoded = _lines.decode_lines(lines)
        except _UNREADABLE:
            yield from self._one_by_one(lines)
            return
        number, at_us = self._number, self._at_us
        for line in decoded:
            number += 1
            at_us += line.us
            yield Record(number, at_us, line.track, line.code, line.data, line.extra)
        self._number, self._at_us = number, at_us

    def _one_by_one(self, lines: bytes) -> Iterator[Record]:
        """The records before the wrong line, then its error. A last line that was cut is none."""
        *whole, cut = lines.split(b"\n")
        for source in whole:
            try:
                line = _lines.decode(source)
            except RecursionError:
                raise self._error("nested too deep", "record again") from None
            except _UNREADABLE as error:
                what = f"neither a record nor a seal: {_plainly(error)}"
                raise self._error(what, "restore the file from where it came from") from None
            yield self._record(line)
        if cut:
            with suppress(*_UNREADABLE):
                yield self._record(_lines.decode(cut))

    def _record(self, line: Line) -> Record:
        self._number += 1
        self._at_us += line.us
        return Record(self._number, self._at_us, line.track, line.code, line.data, line.extra)

    def _take_seal(self, block: bytes) -> None:
        line, _, after = block.partition(b"\n")
        seal = read_seal(line)
        if seal is None:
            if not after and not block.endswith(b"\n"):
                return  # a seal that was cut is none
            raise self._error("neither a record nor a seal", "restore the file")
        if seal.records != self._number:
            what = f"the seal counts {seal.records} records, the file holds {self._number}"
            raise self._error(what, "restore the file: it was changed after recording")
        if seal.digest != digest_word(self._digest):
            raise self._error(
                "the digest in the seal is not the file's",
                "restore the file: it was changed after recording",
            )
        self.seal = seal
        if after:
            raise self._after_seal(after)

    def _after_seal(self, block: bytes) -> CassetteError:
        line = block.partition(b"\n")[0]
        what = "a second seal" if read_seal(line) else "a line after the seal"
        return CassetteError(
            self._path, what, "remove what follows the first seal", self._number + 3
        )

    def _error(self, what: str, remedy: str) -> CassetteError:
        return CassetteError(self._path, what, remedy, self._number + 2)


def _whole_lines(path: Path) -> Iterator[bytes]:
    """The file in blocks of whole lines; what follows the last newline comes last, by itself."""
    rest = b""
    line = 1
    for chunk in chunks(path):
        end = chunk.rfind(b"\n") + 1
        if not end:
            rest += chunk
        else:
            block = rest + chunk[:end]
            if rest and block.find(b"\n") > LINE_LIMIT:
                raise _too_long(path, line)
            rest = chunk[end:]
            line += block.count(b"\n")
            yield block
        if len(rest) > LINE_LIMIT:
            raise _too_long(path, line)
    if rest:
        yield rest


def _too_long(path: Path, line: int) -> CassetteError:
    bound = f"longer than {LINE_LIMIT // 1024 // 1024} MiB"
    return CassetteError(path, bound, "not a cassette that a recorder wrote", line)


def _first_line(path: Path) -> bytes:
    for block in _whole_lines(path):
        return block.partition(b"\n")[0]
    raise CassetteError(path, "the file is empty", "record again: nothing was recorded")


def _parse_header(path: Path, line: bytes) -> Header:
    major = read_major(line)
    if major is None and line.startswith(b'{"turnreel":'):
        raise CassetteError(path, "ends inside its header", "record again: nothing was recorded", 1)
    if major is None:
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
