"""What a caller is told when a cassette cannot be read or written."""

from __future__ import annotations

from os import PathLike, fspath

from turnreel.wire.errors import TurnreelError


class CassetteError(TurnreelError):
    """A cassette that cannot be read or written. One line names the file, the line where there is
    one, and the remedy."""

    def __init__(
        self, path: str | PathLike[str], what: str, remedy: str = "", line: int | None = None
    ) -> None:
        self.path = fspath(path)
        self.line = line
        place = self.path if line is None else f"{self.path}:{line}"
        super().__init__(f"{place}: {what}", remedy)


def os_reason(error: OSError) -> str:
    """The operating system's words for a failure, without its number and without the path."""
    return (error.strerror or type(error).__name__).lower()
