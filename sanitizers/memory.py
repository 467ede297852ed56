"""A small memory for pure functions of strings, so that what a stream repeats is decided once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, TypeVar

MOST: Final = 4096
"""Answers remembered at once."""

SHORT: Final = 256
"""Longer strings are not remembered: they seldom come again."""

LONG: Final = 16_384
RECENT: Final = 32

_Answer = TypeVar("_Answer")


class Recent(Generic[_Answer]):
    """What became of the last few texts of up to `LONG` characters: an agent tells again what its
    provider streamed.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[str, _Answer] = {}

    def get(self, text: str) -> _Answer | None:
        """The answer, if it is remembered."""
        return self._known.get(text)

    def put(self, text: str, answer: _Answer) -> None:
        """Remembers an answer; the oldest is forgotten."""
        if len(text) <= LONG:
            if len(self._known) >= RECENT:
                del self._known[next(iter(self._known))]
            self._known[text] = answer


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
