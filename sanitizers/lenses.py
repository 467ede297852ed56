"""A text as it reads when one layer of encoding is taken off, and the way back to its places.

Taken off are JSON's and programs' escapes (``\\u002d``, ``\\x2d``, ``\\/``), percent signs of URLs,
and what a terminal or a browser does not show: colours, lone carriage returns, zero-width
characters. What does not decode stays: in ``C:\\Users`` nothing does.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

TOKEN: Final = re.compile(
    r"\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[\"'\\/bfnrt]|%[0-9a-fA-F]{2}"
    r"|\x1b\[[0-?]{0,32}[ -/]{0,4}[@-~]|\r(?!\n|\Z)|[\u200b-\u200d\u2060\ufeff\u00ad]"
)
"""What decodes. Everything else stands for itself."""

_UNFINISHED: Final = re.compile(
    r"(?:\\(?:u[0-9a-fA-F]{0,3}|x[0-9a-fA-F]?)?|%[0-9a-fA-F]?"
    r"|\x1b(?:\[[0-?]{0,32}[ -/]{0,4})?|\r)\Z"
)
"""An end of a text that may become a token when more follows."""

_LONGEST: Final = 40
"""No token is longer."""

_SIMPLE: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def is_encoded(text: str) -> bool:
    """Whether something in `text` decodes, or may when more follows."""
    if not ("\\" in text or "%" in text or "\r" in text or "\x1b" in text) and text.isascii():
        return False
    if TOKEN.search(text) is not None:
        return True
    return _UNFINISHED.search(text, max(0, len(text) - _LONGEST)) is not None


def _decoded(token: str) -> str:
    match token[0]:
        case "\\" if token[1] in "ux":
            return chr(int(token[2:], 16))
        case "\\":
            return _SIMPLE.get(token[1], token[1])
        case "%":
            return chr(int(token[1:], 16))
        case _:
            return ""


class Lens:
    """Decodes a growing text. Places count from its beginning.

    Where a token begins does not depend on what stood before the one before it, so any place
    between two tokens may be the beginning.
    """

    __slots__ = ("_carry", "_here", "_shown", "_there", "last_token", "source")

    def __init__(self, at: int) -> None:
        """A lens over a text from place `at` on; up to there the text stands for itself."""
        self._shown = at  # places of the decoded text so far
        self.source = at  # places of the encoded text so far, without what waits
        self._carry = ""
        self._here = [at]  # from each of these places of the decoded text on …
        self._there = [at]  # … it stands at this place of the encoded one
        self.last_token = at  # where the last token ended

    @property
    def is_waiting(self) -> bool:
        """Whether an end of the text may still become a token."""
        return bool(self._carry)

    def feed(self, text: str) -> str:
        """What the next piece shows; the beginning of a token waits for its end."""
        return self._take(self._carry + text, final=False)

    def finish(self) -> str:
        """What still waited: nothing follows."""
        return self._take(self._carry, final=True)

    def _take(self, text: str, *, final: bool) -> str:
        parts: list[str] = []
        at = 0
        for token in TOKEN.finditer(text):
            parts.append(text[at : token.start()])
            self._moved(token.start() - at, token.start() - at)
            at = token.end()
            shown = _decoded(token[0])
            self._mark()
            self._moved(len(shown), len(token[0]))
            self._mark()
            self.last_token = self.source
            parts.append(shown)
        waits = None if final else _UNFINISHED.search(text, max(at, len(text) - _LONGEST))
        end = waits.start() if waits else len(text)
        parts.append(text[at:end])
        self._moved(end - at, end - at)
        self._carry = text[end:]
        return "".join(parts)

    def _moved(self, shown: int, source: int) -> None:
        self._shown += shown
        self.source += source

    def _mark(self) -> None:
        self._here.append(self._shown)
        self._there.append(self.source)

    def start(self, place: int) -> int:
        """Where in the encoded text the character at `place` of the decoded one begins."""
        at = bisect_right(self._here, place) - 1
        return self._there[at] + place - self._here[at] if at >= 0 else place

    def end(self, place: int) -> int:
        """Where the character before `place` ends."""
        at = bisect_right(self._here, place - 1) - 1
        if at < 0:
            return place
        if at + 1 < len(self._here) and self._here[at + 1] == place:
            return self._there[at + 1]
        return self._there[at] + place - self._here[at]

    def shown(self, place: int) -> int:
        """The place in the decoded text of what stands at `place` of the encoded one; behind its
        character inside a token.
        """
        at = bisect_right(self._there, place) - 1
        if at < 0:
            return place
        moved = self._here[at] + place - self._there[at]
        return min(moved, self._here[at + 1]) if at + 1 < len(self._here) else moved

    def whole(self, place: int) -> int:
        """How far the decoded text goes that comes from what stands before `place`, whole tokens
        alone.
        """
        shown = self.shown(place)
        return shown - 1 if self.end(shown) > place else shown

    def forget(self, place: int) -> None:
        """Places of the decoded text before `place` are asked for no more."""
        at = bisect_right(self._here, place - 1) - 1
        if at > 64:
            del self._here[:at], self._there[:at]
