"""When two lines of Thinking say the same, so that a person need not read both (V2)."""

from __future__ import annotations

import re
from collections import Counter

_END = ".!?…:;,"
_AROUND = "()[]{}<>\"'"
_TELLING = re.compile(r"[\d/\\_@#`]|[.:](?=.)")
"""What makes a word a number, a path or an identifier."""


def near_duplicates(one: str, other: str) -> bool:
    """V2: equal, or one a prefix of the other, after folding case, white space and end
    punctuation; never when a digit, path or identifier differs."""
    a, b = _folded(one), _folded(other)
    short, long = sorted((a, b), key=len)
    return bool(short) and long.startswith(short) and _marks(one) == _marks(other)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(_END + " ")


def _marks(text: str) -> Counter[str]:
    words = (word.strip(_END + _AROUND) for word in text.split())
    return Counter(word for word in words if _TELLING.search(word))
