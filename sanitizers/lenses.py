"""A text as it reads when one layer of encoding is taken off, and the way back to its places.

There are two layers. One is percent signs of URLs. The other is all else: escapes of JSON,
programs and HTML (``\\u002d``, ``\\x2d``, ``\\/``, ``&#45;``), and what a terminal or a browser
does not show: colours, lone carriage returns, control and zero-width characters, a line's end
behind a backslash. Characters that only look like others (full width, mathematical, Cyrillic and
Greek letters) read as those. What does not decode stays: in ``C:\\Users`` nothing does.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final, NamedTuple

from .lookalikes import ENTITIES, FAR, FOLDED, LOOKALIKES, UNSEEN, UNSEEN_FAR

_ESCAPE: Final = (
    r"\\u[0-9a-fA-F]{4}|\\u\{[0-9a-fA-F]{1,6}\}|\\U[0-9a-fA-F]{8}|\\x[0-9a-fA-F]{2}"
    r"|\\[0-3][0-7]{2}|\\[\"'\\/bfnrt]|\\\r?\n[ \t]{0,16}+(?=[^ \t])"
    rf"|&(?:#[0-9]{{1,7}}|#[xX][0-9a-fA-F]{{1,6}}|{'|'.join(ENTITIES)});"
    r"|(?:\x1b\[|\x9b)[0-?]{0,32}[ -/]{0,4}[@-~]|\x1b\][^\x07\x1b\r\n]{0,256}(?:\x07|\x1b\\)"
    rf"|\r(?!\n|\Z)|[{UNSEEN}{UNSEEN_FAR}]"
)
_PERCENT: Final = r"%[0-9a-fA-F]{2}"

TOKEN: Final = re.compile(f"{_ESCAPE}|{_PERCENT}")
"""What decodes. Everything else stands for itself, or for what it looks like."""

_UNFINISHED_ESCAPE: Final = (
    r"(?:\\(?:u[0-9a-fA-F]{0,3}|u\{[0-9a-fA-F]{0,6}|U[0-9a-fA-F]{0,7}|x[0-9a-fA-F]?|[0-3][0-7]?"
    r"|\r|\r?\n[ \t]{0,16})?"
    r"|&(?:#(?:[0-9]{0,7}|[xX][0-9a-fA-F]{0,6})|[a-z]{0,7})?"
    r"|(?:\x1b\[|\x9b)[0-?]{0,32}[ -/]{0,4}|\x1b(?:\][^\x07\x1b\r\n]{0,256}\x1b?)?|\r)\Z"
)
_UNFINISHED_PERCENT: Final = r"%[0-9a-fA-F]?\Z"
_UNFINISHED: Final = re.compile(f"{_UNFINISHED_ESCAPE}|{_UNFINISHED_PERCENT}")
"""An end of a text that may become a token when more follows."""


class Layer(NamedTuple):
    """An encoding that is taken off by itself."""

    token: re.Pattern[str]
    unfinished: re.Pattern[str]
    folds: bool
    """Whether what looks like another character is read as that one."""


ESCAPES: Final = Layer(re.compile(_ESCAPE), re.compile(_UNFINISHED_ESCAPE), folds=True)
PERCENT: Final = Layer(re.compile(_PERCENT), re.compile(_UNFINISHED_PERCENT), folds=False)
"""Apart, since a percent sign stands before a password too: ``user%0bGh`` between escapes."""

_LONGEST: Final = 260
"""No token is longer."""

_MARKS: Final = re.compile(rf"[\\%&\r\x1b\x9b{UNSEEN}{LOOKALIKES}]|[{FAR}]")
"""One of these begins every token, or looks like another character."""

_SIMPLE: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HIGHEST: Final = 0x10FFFF


def is_encoded(text: str) -> bool:
    """Whether something in `text` decodes, or may when more follows."""
    first = _MARKS.search(text)
    if first is None:
        return False
    if ord(first[0]) in FOLDED or TOKEN.search(text, first.start()) is not None:
        return True
    if not text.isascii() and text.translate(FOLDED) != text:
        return True
    return _UNFINISHED.search(text, max(0, len(text) - _LONGEST)) is not None


def _decoded(token: str) -> str:
    match token[0]:
        case "\\" if token[1] in "uUx":
            return _character(int(token[2:].strip("{}"), 16))
        case "\\" if token[1] in "0123":
            return chr(int(token[1:], 8))
        case "\\" if token[1] in "\r\n":
            return ""
        case "\\":
            return _SIMPLE.get(token[1], token[1])
        case "%":
            return chr(int(token[1:], 16))
        case "&" if token[1] == "#":
            digits = token[2:-1]
            is_hex = digits[0] in "xX"
            return _character(int(digits[1:], 16) if is_hex else int(digits))
        case "&":
            return ENTITIES[token[1:-1]]
        case _:
            return ""


def _character(code: int) -> str:
    return chr(code) if code <= _HIGHEST else "\ufffd"


class Lens:
    """Decodes a growing text. Places count from its beginning.

    Where a token begins does not depend on what stood before the one before it, so any place
    between two tokens may be the beginning.
    """

    __slots__ = ("_carry", "_here", "_layer", "_shown", "_there", "last_token", "source")

    def __init__(self, layer: Layer, at: int) -> None:
        """A lens that takes `layer` off a text from place `at` on; up to there the text stands for
        itself.
        """
        self._layer = layer
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
        return self._take(self._carry + text)

    def finish(self) -> None:
        """Nothing follows: the beginning of a token that waited shows nothing. What stands before
        it may be a secret that was cut off in the middle of an escape.
        """
        if self._carry:
            self._token(0, len(self._carry))
            self._carry = ""

    def _take(self, text: str) -> str:
        parts: list[str] = []
        at = 0
        for token in self._layer.token.finditer(text):
            parts.append(self._plain(text[at : token.start()]))
            at = token.end()
            shown = _decoded(token[0])
            self._token(len(shown), len(token[0]))
            parts.append(shown)
        waits = self._layer.unfinished.search(text, max(at, len(text) - _LONGEST))
        end = waits.start() if waits else len(text)
        parts.append(self._plain(text[at:end]))
        self._carry = text[end:]
        return "".join(parts)

    def _token(self, shown: int, source: int) -> None:
        self._mark()
        self._moved(shown, source)
        self._mark()
        self.last_token = self.source

    def _plain(self, part: str) -> str:
        """What no token stands in: a character for each."""
        source = self.source
        self._moved(len(part), len(part))
        if not self._layer.folds or part.isascii():
            return part
        folded = part.translate(FOLDED)
        if folded != part:
            pairs = zip(reversed(part), reversed(folded), strict=True)
            behind = next(number for number, (here, there) in enumerate(pairs) if here != there)
            self.last_token = source + len(part) - behind
        return folded

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
