"""Shape: what is left of a text when nothing of it may survive.

Letters become ``x`` or ``X`` and digits ``0``; white space and punctuation but ``@`` stay, so
that paragraphs, tables and markdown keep their form. Idempotent and of the same length:
character by character.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final


class _Shapes(dict[int, str]):
    """A translation table that learns a character's shape when it first meets it."""

    def __missing__(self, code: int) -> str:
        self[code] = shaped = _shape_of(chr(code))
        return shaped


def _shape_of(character: str) -> str:
    if character == "@":  # the shape of an address would be taken for an address
        return "x"
    category = unicodedata.category(character)
    match category:
        case "Lu" | "Lt":
            return "X"
        case "Nd" | "Nl" | "No":
            return "0"
        case "Zs" | "Zl" | "Zp" | "Cc":
            return character
        case _ if category[0] in "PS":
            return character
        case _:
            return "x"


_TABLE: Final = _Shapes()


def shape(text: str) -> str:
    """`text` with every letter and digit replaced."""
    return text.translate(_TABLE)


def filler(text: str) -> str:
    """As many ``x`` as `text` has characters: not even its form survives."""
    return "x" * len(text)


_SHAPE: Final = re.compile(r"[xX0\s!-$&-/:-?\[\]^-`{-~]*")


def is_shape(text: str) -> bool:
    """Whether `text` is a shape for certain: no letter of it says anything, and nothing decodes."""
    return _SHAPE.fullmatch(text) is not None
