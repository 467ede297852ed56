"""What importers of other people's files share: a bounded file, and one way to land it."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from turnreel.cassettes.timing import Timing
from turnreel.sanitizers import Raw, Report

from .errors import RecorderError
from .landing import Landing
from .messages import Plan, Sealed


def land(plan: Plan, raws: Iterable[Raw], former: Report | None = None) -> Sealed:
    """Land `raws` and seal. What fails leaves no file, and an existing one as it was. `former` is
    what was replaced in those of them that were sanitized before (S5).
    """
    landing = Landing(plan, Timing.EXACT)
    try:
        landing.land(raws)
        return landing.seal(former)
    except BaseException:
        landing.discard()
        raise


@contextmanager
def opened(path: Path, limit: int) -> Iterator[BinaryIO]:
    """The file at `path` for reading. Raises `RecorderError`: it cannot be read, is no plain file
    (it is read twice), or is longer than `limit` bytes.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise RecorderError(f"{path}: is no file", "name a file")
        if status.st_size > limit:
            raise RecorderError(
                f"{path}: {status.st_size >> 20} MiB, and at most {limit >> 20} MiB are read",
                "keep the exchanges that matter",
            )
        file = path.open("rb")
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise RecorderError(f"{path}: {reason}", "check the path") from None
    with file:
        yield file
