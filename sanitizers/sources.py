"""The visible texts of a session in the strict profile: told apart, and found again, by digest.

A text lands as its shape. Where two texts have one shape, the second is marked in its first
letters. A notice of the runtime stands as it is, and what stands around it are texts of their own.
What is remembered of a text is a digest, its length and its number, in memory only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Final

from .shape import shape

_LONGEST_JOIN: Final = 64
"""Texts of which one joined text is made, at most."""


class Sources:
    """Every visible text met, in the order it was met. `notices` are expressions."""

    __slots__ = ("_lengths", "_notices", "_numbers", "_texts")

    def __init__(self, notices: Iterable[str] = ()) -> None:
        self._notices = re.compile("|".join(notices) or r"(?!)")
        self._numbers: dict[str, int] = {}
        self._texts: dict[bytes, int] = {}
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
        number = self._texts.get(key)
        if number is None:
            shaped = shape(core)
            if not _PLACES.keys().isdisjoint(shaped):
                folded = _folded(shaped)
                number = self._numbers.get(folded, 0)
                self._numbers[folded] = number + 1
            self._texts[key] = number = number or 0
            self._lengths.add(len(core))
        return _marked(shape(text), number)

    def _find(self, text: str) -> str:
        joined = self._joined(text, _LONGEST_JOIN)
        return text if joined is None else joined

    def _joined(self, text: str, most: int) -> str | None:
        core = text.strip()
        number = self._texts.get(_digest(core))
        if number is not None or not core:
            return _marked(shape(text), number or 0)
        if not most:
            return None
        start = len(text) - len(text.lstrip())
        for length in sorted(self._lengths, reverse=True):
            end = start + length
            if end >= len(text) or _digest(text[start:end]) not in self._texts:
                continue
            rest = self._joined(text[end:], most - 1)
            if rest is not None:
                number = self._texts[_digest(text[start:end])]
                return text[:start] + _marked(shape(text[start:end]), number) + rest
        return None


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


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
