"""The pieces of a text on its way: an immutable value that grows without copying itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

_MOST: Final = 128
"""Pieces that stand alone; more are put away together."""


class Pieces(msgspec.Struct, frozen=True):
    """Deltas in the order they came. Empty ones count as none."""

    away: tuple[tuple[str, ...], ...] = ()
    last: tuple[str, ...] = ()

    def plus(self, piece: str) -> Pieces:
        """These pieces and one more."""
        last = (*self.last, piece)
        return Pieces((*self.away, last), ()) if len(last) == _MOST else Pieces(self.away, last)

    def __iter__(self) -> Iterator[str]:
        for some in self.away:
            yield from some
        yield from self.last

    def __bool__(self) -> bool:
        return bool(self.last or self.away)

    @property
    def text(self) -> str:
        """What they add up to."""
        return "".join(self)

    def add_up_to(self, text: str) -> bool:
        """Whether they add up to `text`, white space at its ends aside. A piece delivered twice in
        a row may count once (R2).
        """
        whole, at, former = text.strip(), 0, None
        for piece in self:
            wanted = piece if at else piece.lstrip()
            if not whole.startswith(wanted, at):
                wanted = wanted.rstrip()
            if at + len(wanted) <= len(whole) and whole.startswith(wanted, at):
                at += len(wanted)
            elif piece != former:
                return False
            former = piece
        return at == len(whole)


NONE: Final = Pieces()
