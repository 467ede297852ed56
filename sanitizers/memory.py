"""A small memory for pure functions of strings, so that what a stream repeats is decided once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

MOST: Final = 4096
"""Answers remembered at once."""

SHORT: Final = 256
"""Longer strings are not remembered: they seldom come again."""


def remembered(treat: Callable[[str], str]) -> Callable[[str], str]:
    """`treat`, remembering its last few thousand short answers. For session-long use only: it
    holds raw values, in memory, no longer than the session does.
    """
    known: dict[str, str] = {}

    def answer(text: str) -> str:
        given = known.get(text)
        if given is None:
            given = treat(text)
            if len(text) <= SHORT:
                if len(known) >= MOST:
                    known.clear()
                known[text] = given
        return given

    return answer
