"""What one frame's walk leaves behind: the streamed pieces that wait to be decided."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from turnreel.wire.units import Json

if TYPE_CHECKING:
    from .treatments import Treatments


class Slot:
    """A piece of streamed text that waits to be decided, and where in a record it will stand: under
    `key` in `home`, which is put there when the record is about to land.

    `left` counts its characters not decided yet; once there are none it is what `landed`, and
    `done` is called. Pieces of one `block` are one text.
    """

    __slots__ = ("_home", "_key", "_parts", "block", "done", "landed", "left", "stream", "text")

    def __init__(self, text: str, stream: str, home: dict[str, Json], key: str) -> None:
        self.text = text
        self.stream = stream
        self.left = len(text)
        self.landed = ""
        self.block: object = None
        self.done: Callable[[], None] | None = None
        self._parts: list[str] = []
        self._home = home
        self._key = key

    def take(self, length: int, part: str | None = None) -> None:
        """The next `length` characters become `part`, or stay."""
        if part is None:
            begin = len(self.text) - self.left
            part = self.text[begin : begin + length]
        self._parts.append(part)
        self.left -= length

    def settle(self) -> None:
        """All is decided."""
        self.landed = "".join(self._parts)
        if self.done is not None:
            self.done()

    def put(self) -> None:
        """Puts what landed into its place."""
        self._home[self._key] = self.landed


class Visit:
    """One frame's walk: where it stands for the report, its session's treatments, and the slots it
    met.
    """

    __slots__ = ("frame", "slots", "track", "treat")

    def __init__(self, track: str, frame: str, treat: Treatments) -> None:
        self.treat = treat
        self.track = track
        self.frame = frame
        self.slots: list[Slot] = []
