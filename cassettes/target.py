"""The file a cassette is written to: created privately, appended in whole lines, sealed once.

Nothing that exists is overwritten. `Existing.REFUSE` writes under the final name, so that a killed
recorder leaves an interrupted cassette where it was asked to. `Existing.REPLACE` writes to a
sibling ``NAME.part`` and renames it at the seal, so that the old file stays until the new one is
whole. While it is open it is locked, where the system can: nobody recovers what is still recorded.
"""

from __future__ import annotations

import enum
import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from .encodings import Encoding, Frames, Plain, TimedLine
from .errors import CassetteError, os_reason
from .header import Seal, digest_word, seal_line


class Existing(enum.Enum):
    """What happens to a file that already has the name."""

    REFUSE = "refuse"
    REPLACE = "replace"


class Target:
    """Whole lines into a new file, counted and digested, one unbuffered write for each call.

    The header goes out together with the first records, as it derives from them: a file is empty or
    has at least one whole record (compressed: one whole frame). A compressed target belongs to the
    thread that made it.
    """

    def __init__(self, path: Path, existing: Existing = Existing.REFUSE) -> None:
        """Creates the file, empty, mode 0600. A name that ends in ``.zst`` is compressed.

        Raises:
            CassetteError: it exists, or cannot be created.
        """
        self.path = path
        self.records = 0
        self.size = 0  # bytes in the file
        self._file = path if existing is Existing.REFUSE else path.with_name(f"{path.name}.part")
        self._encoding: Encoding = Frames() if path.suffix == ".zst" else Plain()
        self._digest = hashlib.sha256()
        self._held = b""  # the header, until it is written
        self._empty = True
        self._refused = False  # a write, by the disk: another one would follow half a line or frame
        self._descriptor: int | None = _create(self._file)

    def begin(self, header: bytes) -> None:
        """Takes the header's line. Called once, first."""
        self._digest.update(header)
        self._held = self._encoding.begin(header)

    def append(self, lines: Sequence[TimedLine]) -> None:
        """Appends records.

        Raises:
            CassetteError: the file cannot take them (it reads up to its last whole record).
        """
        for _, line in lines:
            self._digest.update(line)
        self.records += len(lines)
        self._write(self._encoding.add(lines))

    def flush(self) -> None:
        """Brings to the file what compression still holds."""
        self._write(self._encoding.flush())

    def seal(self, report: dict[str, Any]) -> Seal:
        """Writes the seal, syncs, and gives the file its name. The target is then closed."""
        return self._seal(Seal(records=self.records, digest=self._word(), report=report))

    def seal_recovered(self, unchecked: tuple[str, ...]) -> Seal:
        """Seals what a killed recorder left; `unchecked` names what could not be checked again."""
        return self._seal(
            Seal(records=self.records, digest=self._word(), recovered=True, unchecked=unchecked)
        )

    def close(self) -> None:
        """Closes without sealing: what was appended stays, interrupted, also what compression still
        held; an empty file goes.
        """
        if self._descriptor is not None and not self._refused:
            with suppress(CassetteError):  # it reads up to its last whole record
                self.flush()
        self._close()

    def _close(self) -> None:
        if self._descriptor is None:
            return
        os.close(self._descriptor)
        self._descriptor = None
        if self._empty:
            with suppress(OSError):
                self._file.unlink()

    def discard(self) -> None:
        """Closes and removes what was written and not sealed: another cassette holds it."""
        self._empty = True
        self._close()

    def _word(self) -> str:
        return digest_word(self._digest)

    def _seal(self, seal: Seal) -> Seal:
        self._write(self._encoding.finish(seal_line(seal)))
        try:
            os.fsync(self._open())
            self._close()
            if self._file != self.path:
                self._file.replace(self.path)
        except OSError as error:
            remedy = "free the disk, then `turnreel recover`"
            raise CassetteError(self._file, os_reason(error), remedy) from error
        return seal

    def _open(self) -> int:
        if self._descriptor is None:
            raise RuntimeError("the cassette is closed")
        return self._descriptor

    def _write(self, data: bytes) -> None:
        descriptor = self._open()
        if not data:
            return
        view = memoryview(self._held + data)
        self._held = b""
        self._empty = False
        try:
            while view:
                taken = os.write(descriptor, view)
                self.size += taken
                view = view[taken:]
        except OSError as error:
            self._refused = True
            remedy = "make room, then `turnreel recover`: what was written reads to its last record"
            raise CassetteError(self._file, os_reason(error), remedy) from error


def _create(file: Path) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    flags |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(file, flags, 0o600)
    except FileExistsError:
        remedy = (
            "recover or remove what a killed recorder left"
            if file.suffix == ".part"
            else "choose another name, or ask to replace it with --force"
        )
        raise CassetteError(file, "exists already", remedy) from None
    except OSError as error:
        raise CassetteError(
            file, os_reason(error), "choose a folder that can be written"
        ) from error
    lock(descriptor)
    return descriptor


def lock(descriptor: int) -> bool:
    """Lock the file until its descriptor is closed. False if somebody else does; True also where
    files cannot be locked.
    """
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):  # Windows, some network file systems
        return True
    return True
