"""Writing: sanitized records to a cassette that a killed recorder leaves readable."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from turnreel.sanitizers.records import Clean
from turnreel.sanitizers.report import Report

from .encodings import TimedLine
from .header import Header, Outline, Seal, header_line
from .records import TIME_LIMIT, line_of
from .target import Existing, Target
from .timing import Timing


class CassetteWriter:
    """Writes one cassette, from its first record to its seal.

    Only `Clean` records are taken, and only sanitizers make those (S1). Each `write` is one
    unbuffered write of a whole line and each `write_all` one of whole lines: a killed writer loses
    nothing that was written, or, in a ``.zst`` cassette, what came since the last 64 KiB or
    `flush`. Records before another in time than the one before them get its time. As a context
    manager it closes, unsealed if `seal` was not called.
    """

    def __init__(
        self,
        path: str | Path,
        outline: Outline,
        existing: Existing = Existing.REFUSE,
        timing: Timing = Timing.EXACT,
        at_us: int = 0,
    ) -> None:
        """Creates the file. `at_us` is when it begins: the first record's time is told from there.

        Raises:
            CassetteError: it exists and was not to be replaced, or cannot be created.
        """
        self._outline = outline
        self._timing = timing
        self._target = Target(Path(path), existing)
        self._at_us = at_us
        self._header: Header | None = None

    @property
    def path(self) -> Path:
        """Where the sealed cassette will be."""
        return self._target.path

    @property
    def header(self) -> Header | None:
        """The header; None before the first record, from which its id derives."""
        return self._header

    @property
    def at_us(self) -> int:
        """The time of the last record."""
        return self._at_us

    @property
    def size(self) -> int:
        """Bytes in the file."""
        return self._target.size

    @property
    def records(self) -> int:
        """How many were written: the number of the last one."""
        return self._target.records

    def write(self, clean: Clean) -> None:
        """Appends one record.

        Raises:
            TypeError: it did not come from the sanitizer.
            CassetteError: the disk refuses.
        """
        self.write_all((clean,))

    def write_all(self, cleans: Iterable[Clean]) -> None:
        """Appends records with one write to the file. Raises as `write` does."""
        lines = [self._line(clean) for clean in cleans]
        if not lines:
            return
        if self._header is None:
            self._begin(lines[0].line)
        self._target.append(lines)

    def flush(self) -> None:
        """Brings to the file what compression still holds. Only ``.zst`` cassettes need it."""
        self._target.flush()

    def seal(self, report: Report) -> Seal:
        """Ends the cassette: count, digest and report, synced and under its name. The writer is
        then closed.
        """
        if self._header is None:
            self._begin(b"")
        return self._target.seal(msgspec.json.decode(msgspec.json.encode(report)))

    def close(self) -> None:
        """Closes what was not sealed: an interrupted cassette, or no file if nothing was
        written.
        """
        self._target.close()

    def discard(self) -> None:
        """Closes and removes what was written and not sealed: another cassette holds it."""
        self._target.discard()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _begin(self, first_line: bytes) -> None:
        self._header, line = header_line(self._outline, first_line)
        self._target.begin(line)

    def _line(self, clean: Clean) -> TimedLine:
        if not isinstance(clean, Clean):
            raise TypeError(f"a cassette takes sanitized records, not {type(clean).__name__}")
        us = min(self._timing.of(max(0, clean.at_us - self._at_us)), TIME_LIMIT)
        self._at_us = max(self._at_us, clean.at_us)
        return TimedLine(us, line_of(clean, us))
