"""The visible texts of a session in the strict profile: told apart, and found again, by digest.

A text lands as its shape. Where two texts have one shape, the second is marked in its first
letters. A notice of the runtime stands as it is, and what stands around it are texts of their own.
What is remembered of a text is a digest, its length and its number, in memory only, and of the last
some ten thousand texts alone: a long session needs no more memory than a short one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Final

from .shape import shape

_LONGEST_JOIN: Final = 64
"""Texts of which one joined text is made, at most."""


REMEMBERED: Final = 16_384
"""Texts that are remembered for certain; four times as many may be."""


class Sources:
    """The visible texts met, in the order it was met. `notices` are expressions."""

    __slots__ = ("_former", "_lengths", "_notices", "_texts")

    def __init__(self, notices: Iterable[str] = ()) -> None:
        self._notices = re.compile("|".join(notices) or r"(?!)")
        # The number of a text by its digest, and how many have a shape by the shape's.
        self._texts: dict[bytes, int] = {}
        self._former: dict[bytes, int] = {}
        self._lengths: set[int] = set()

    def shape(self, text: str) -> str:
        """The shape of `text`, distinct from that of every other text."""
        return self._parted(text, self._shape)

    def find(self, text: str) -> str:
        """What `text` landed as if it was met, alone or as texts joined; itself if not."""
        return self._parted(text, self._find)

    def _parted(self, text: str, treat: Callable[[str], str]) -> str:
        parts: list[str] = []
        at = 0
        for notice in self._notices.finditer(text):
            parts += treat(text[at : notice.start()]), notice[0]
            at = notice.end()
        return "".join((*parts, treat(text[at:]))) if parts else treat(text)

    def _shape(self, text: str) -> str:
        core = text.strip()
        key = _digest(core)
        number = self._number(key)
        if number is None:
            shaped = shape(core)
            if not _PLACES.keys().isdisjoint(shaped):
                folded = _digest(_folded(shaped), b"shape")
                number = self._number(folded) or 0
                self._remember(folded, number + 1)
            number = number or 0
            self._remember(key, number)
            self._lengths.add(len(core))
        return _marked(shape(text), number)

    def _number(self, key: bytes) -> int | None:
        number = self._texts.get(key)
        if number is None and (number := self._former.get(key)) is not None:
            self._remember(key, number)
        return number

    def _remember(self, key: bytes, number: int) -> None:
        if len(self._texts) >= 2 * REMEMBERED:
            self._former, self._texts = self._texts, {}
        self._texts[key] = number

    def _find(self, text: str) -> str:
        joined = self._joined(text, _LONGEST_JOIN)
        return text if joined is None else joined

    def _joined(self, text: str, most: int) -> str | None:
        core = text.strip()
        number = self._number(_digest(core))
        if number is not None or not core:
            return _marked(shape(text), number or 0)
        if not most:
            return None
        start = len(text) - len(text.lstrip())
        for length in sorted(self._lengths, reverse=True):
            end = start + length
            if end >= len(text) or (number := self._number(_digest(text[start:end]))) is None:
                continue
            rest = self._joined(text[end:], most - 1)
            if rest is not None:
                return text[:start] + _marked(shape(text[start:end]), number) + rest
        return None


def _digest(text: str, person: bytes = b"") -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16, person=person).digest()


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!?:;,…")


def _marked(shaped: str, number: int) -> str:
    """`shaped` with `number` written in its first letters and digits, lowest place first."""
    if not number:
        return shaped
    parts: list[str] = []
    for character in shaped:
        places = _PLACES.get(character)
        if number and places:
            number, place = divmod(number, len(places))
            character = places[place]
        parts.append(character)
    return "".join(parts) + "y" * number


_LETTERS: Final = "xyzwvutsrqponmlkjihgfedcba"
_PLACES: Final = {"x": _LETTERS, "X": _LETTERS.upper(), "0": "0123456789"}
