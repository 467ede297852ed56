"""Blocks whose text arrives in deltas: found across the deltas, and cut over them again (S2, S3).

The concatenation of what a block's deltas become is what its whole text becomes, and there are
as many as came in. Scrubbed text is released as soon as it is decided: at most a rule's window,
the batch and one open token behind what arrived. An endless token is cut off at `CAP` and what
follows of it is filler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from .rope import Rope
from .scanner import End
from .scrub import Scrubber
from .slots import Slot

BATCH: Final = 512
"""How many new characters make another look worth while."""

CAP: Final = 65_536
"""How much undecided text a block may hold back."""

_ENDS_TOKEN: Final = frozenset(" \t\r\n\"'`<>()[]{},;")


class Block(Protocol):
    """One block being streamed."""

    def feed(self, slot: Slot) -> None:
        """The next delta."""

    def freeze(self) -> None:
        """More follows, but what is held must be decided now."""

    def close(self) -> None:
        """Nothing follows: all that is held is decided now. Closing again changes nothing."""


class TextBlock:
    """Visible text, scrubbed in windows."""

    __slots__ = ("_glued", "_masking", "_next", "_rope", "_scrubber", "_start", "_text")

    def __init__(self, scrubber: Scrubber) -> None:
        self._scrubber = scrubber
        self._rope = Rope()
        self._text = ""
        self._start = 0  # characters of _text that are decided and serve as context
        self._glued = False
        self._masking = False
        self._next = scrubber.scanner.window + BATCH

    def feed(self, slot: Slot) -> None:
        text = slot.text
        self._rope.add(slot)
        if self._masking:
            text = self._mask(text)
        self._text += text
        if len(self._text) - self._start >= self._next:
            self._decide("open")
            held = len(self._text) - self._start
            self._next = max(self._scrubber.scanner.window + BATCH, 2 * held)
            if held > CAP:
                self.freeze()

    def close(self) -> None:
        self._decide("cut")
        self._masking = False

    def _decide(self, end: End) -> None:
        decision = self._scrubber.scanner.decide(self._text, self._start, self._glued, end)
        at = self._start
        for span in decision.spans:
            self._rope.keep(span.start - at)
            self._rope.replace(span.end - span.start, self._scrubber.replacement(self._text, span))
            self._scrubber.tally.replaced[span.rule] += 1
            at = span.end
        self._rope.keep(decision.limit - at)
        self._glued = decision.glued
        keep = max(decision.limit - 1, 0)
        self._text = self._text[keep:]
        self._start = decision.limit - keep

    def freeze(self) -> None:
        """What is held is decided as if the text ended; what follows of an open token is masked."""
        if self._start < len(self._text):
            open_token = self._text[-1] not in _ENDS_TOKEN
            self._decide("cut")
            self._masking = open_token

    def _mask(self, text: str) -> str:
        """Masks up to the token's end; the rest of `text` is ordinary again."""
        length = next((at for at, char in enumerate(text) if char in _ENDS_TOKEN), len(text))
        self._rope.replace(length, "x" * length)
        self._masking = length == len(text)
        return text[length:]


class WholeBlock:
    """Text that is treated as a whole: held until its block ends."""

    __slots__ = ("_parts", "_rope", "_treat")

    def __init__(self, treat: Callable[[str], str]) -> None:
        self._treat = treat
        self._rope = Rope()
        self._parts: list[str] = []

    def feed(self, slot: Slot) -> None:
        self._parts.append(slot.text)
        self._rope.add(slot)

    def close(self) -> None:
        text = "".join(self._parts)
        self._parts.clear()
        if text:
            self._rope.replace(len(text), self._treat(text))

    freeze = close
