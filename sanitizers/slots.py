"""What one frame's walk leaves behind: the streamed pieces that wait to be decided."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from turnreel.wire.units import Json

if TYPE_CHECKING:
    from .treatments import Treatments


class Slot:
    """A piece of streamed text that waits to be decided, in the place where it will stand.

    `left` counts its characters not decided yet; `done` is called once there are none. Pieces of
    one `block` are one text.
    """

    __slots__ = ("_home", "_key", "_parts", "block", "done", "left", "stream", "text")

    def __init__(self, text: str, stream: str) -> None:
        self.text = text
        self.stream = stream
        self.left = len(text)
        self.block: object = None
        self.done: Callable[[], None] | None = None
        self._parts: list[str] = []
        self._home: dict[str, Json] = {}
        self._key = ""

    def place(self, home: dict[str, Json], key: str) -> None:
        """Where the decided text will stand."""
        self._home, self._key = home, key

    def take(self, length: int, part: str | None = None) -> None:
        """The next `length` characters become `part`, or stay."""
        if part is None:
            begin = len(self.text) - self.left
            part = self.text[begin : begin + length]
        self._parts.append(part)
        self.left -= length

    @property
    def landed(self) -> str:
        """The decided text."""
        text = self._home[self._key]
        assert isinstance(text, str), "a slot holds text"
        return text

    def lift(self) -> str:
        """Takes the decided text out of its place, until `put`."""
        text = self.landed
        self._home[self._key] = ""
        return text

    def put(self, text: str) -> None:
        """Puts the decided text into its place."""
        self._home[self._key] = text

    def settle(self) -> None:
        """All is decided."""
        self.put("".join(self._parts))
        if self.done is not None:
            self.done()


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
