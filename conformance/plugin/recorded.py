"""The recording of a test, and what it holds."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from turnreel.cassettes import Cassette, Header, open_cassette, unit_of
from turnreel.lifecycle.events import AnyEvent
from turnreel.replayer import refeed
from turnreel.wire import encode

from .plainly import plainly

if TYPE_CHECKING:
    from .marks import Marked


class Recorded:
    """A test's recording. Where a path is wanted it is one.

    While it is being recorded (`is_new`), the file is whole only after the session ended.
    """

    def __init__(self, path: Path, marked: Marked, *, is_new: bool) -> None:
        self.path = path
        self.marked = marked
        self.is_new = is_new

    def __fspath__(self) -> str:
        return str(self.path)

    def __repr__(self) -> str:
        return f"<recording {self.path.name}>"

    @property
    def header(self) -> Header:
        """The cassette's first line."""
        return self._opened.header

    @cached_property
    def events(self) -> tuple[AnyEvent, ...]:
        """The events of its turns, as turnreel's own adapter tells them."""
        with plainly():
            return tuple(refeed.events(self._opened))

    @property
    def stdout(self) -> bytes:
        """What the agent printed, byte for byte: what an adapter reads."""
        return self._said("out")

    @property
    def stdin(self) -> bytes:
        """What its host wrote to it."""
        return self._said("in")

    @cached_property
    def _opened(self) -> Cassette:
        with plainly():
            return open_cassette(self.path)

    def _said(self, code: str) -> bytes:
        with plainly():
            return b"".join(encode(unit_of(one)) for one in self._opened if one.code == code)
