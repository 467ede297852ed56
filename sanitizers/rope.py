"""Texts that arrive in pieces and leave in the same pieces.

A replaced stretch of n characters that becomes r of L characters is shared out so that original
character i owns ``r[L*i//n : L*(i+1)//n]``: that depends on n and r alone, never on how the
text was split, and works for any length. A placeholder stands whole in the piece where its secret
began: half a one would be taken for something private. Every piece gets its answer, empty ones too.
"""

from __future__ import annotations

from collections import deque

from .slots import Slot


class Rope:
    """The pieces of one text whose characters are not all decided yet, in order."""

    __slots__ = ("_slots",)

    def __init__(self) -> None:
        self._slots: deque[Slot] = deque()

    def add(self, slot: Slot) -> None:
        """The next piece. An empty one behind nothing undecided is decided at once."""
        self._slots.append(slot)
        self._release()

    @property
    def is_empty(self) -> bool:
        """Whether every piece is decided."""
        return not self._slots

    def keep(self, length: int) -> None:
        """The next `length` characters stay."""
        while length:
            slot = self._slots[0]
            taken = min(length, slot.left)
            slot.take(taken)
            length -= taken
            self._release()

    def replace(self, length: int, replacement: str) -> None:
        """The next `length` characters become `replacement`."""
        size, at = len(replacement), 0
        while at < length:
            slot = self._slots[0]
            taken = min(length - at, slot.left)
            slot.take(taken, replacement[size * at // length : size * (at + taken) // length])
            at += taken
            self._release()

    def place(self, length: int, placeholder: str) -> None:
        """The next `length` characters become `placeholder`, in the piece where they begin."""
        while length:
            slot = self._slots[0]
            taken = min(length, slot.left)
            slot.take(taken, placeholder)
            placeholder = ""
            length -= taken
            self._release()

    def _release(self) -> None:
        while self._slots and not self._slots[0].left:
            self._slots.popleft().settle()
