"""Blocks whose text arrives in deltas: found across the deltas, and cut over them again (S2, S3).

The concatenation of what a block's deltas become is what its whole text becomes, and there are
as many as came in. Scrubbed text is released as soon as it is decided: at most a rule's window,
the batch and one open token behind what arrived. An endless token is cut off at `CAP` and what
follows of it is filler; so is what follows of a private key, up to its end mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Protocol

from .matches import Span
from .memory import LONG
from .rope import Rope
from .scanner import End
from .scrub import Scrubbed, Scrubber
from .shape import shape
from .slots import Slot
from .views import Reading

BATCH: Final = 2048
"""How many new characters make another look worth while."""

CAP: Final = 65_536
"""How much undecided text a block may hold back."""

_ENDS_TOKEN: Final = frozenset(" \t\r\n\"'`<>()[]{},;")
_TOKEN_END: Final = re.compile("[\\s\"'`<>()\\[\\]{},;]")

_LONGEST_MARK: Final = 128
"""No end mark of a block is longer."""


class Block(Protocol):
    """One block being streamed."""

    def feed(self, slot: Slot) -> None:
        """The next delta."""

    def freeze(self) -> None:
        """More follows, but what is held must be decided now; what follows lands as its shape, as a
        secret may go on in it of which nobody can tell that it is one.
        """

    def close(self) -> None:
        """Nothing follows: all that is held is decided now. Closing again changes nothing."""


class TextBlock:
    """Visible text, scrubbed in windows, in all its views."""

    __slots__ = (
        "_at", "_frozen", "_held", "_mask", "_next", "_reading", "_rope", "_rules", "_scrubber",
        "_slots",
    )  # fmt: skip

    def __init__(self, scrubber: Scrubber) -> None:
        self._scrubber = scrubber
        self._rope = Rope()
        scrubber.scanner.settle()
        self._reading = Reading(scrubber.scanner)
        self._at = 0  # the place of the reading up to which all is decided
        self._held = 0
        self._frozen = False
        self._mask: _Mask | None = None
        self._slots: list[Slot] | None = []  # of a text that is remembered as a whole
        self._rules: list[str] = []
        self._next = scrubber.scanner.window + BATCH

    def feed(self, slot: Slot) -> None:
        text = slot.text
        self._rope.add(slot)
        if self._frozen:
            self._rope.replace(len(text), shape(text))
            return
        if self._slots is not None:
            self._slots.append(slot)
        if self._mask is not None:
            text = self._masked(self._mask, text)
        self._reading.feed(text)
        self._held += len(text)
        if self._held >= self._next:
            self._decide("open")
            if self._at > LONG:
                self._slots = None
            self._next = max(self._scrubber.scanner.window + BATCH, min(2 * self._held, CAP + 1))
            if self._held > CAP:
                self._cut_off()

    def close(self) -> None:
        self._decide("cut")
        self._mask = None
        if self._slots:
            text = "".join([slot.text for slot in self._slots])
            landed = "".join([slot.landed for slot in self._slots])
            self._scrubber.remember(text, Scrubbed(landed, tuple(self._rules)))
        self._slots = None

    def freeze(self) -> None:
        self._slots = None
        if not self._frozen:
            self._decide("cut")
        self._frozen = True

    def _cut_off(self) -> None:
        """An endless token is decided as if the text ended; what follows of it, or of a private
        key, is masked.
        """
        self._slots = None
        last = self._reading.tail(1)
        spans = self._decide("cut")
        until = self._open_end(spans)
        if until is not None or last not in _ENDS_TOKEN:
            self._mask = _Mask(until)

    def _open_end(self, spans: list[Span]) -> re.Pattern[str] | None:
        """What ends the block that the text stopped in the middle of."""
        if not spans or spans[-1].end != self._at:
            return None
        until = self._scrubber.scanner.ends.get(spans[-1].rule)
        return None if until is None or until.search(spans[-1].value) else until

    def _decide(self, end: End) -> list[Span]:
        spans, limit = self._reading.decide(end)
        at = self._at
        for span in spans:
            self._rope.keep(span.start - at)
            self._rope.place(span.end - span.start, self._scrubber.replacement(span))
            self._scrubber.tally.replaced[span.rule] += 1
            self._rules.append(span.rule)
            at = span.end
        self._rope.keep(limit - at)
        self._held -= limit - self._at
        self._at = limit
        return spans

    def _masked(self, mask: _Mask, text: str) -> str:
        """Masks up to where the mask ends; the rest of `text` is ordinary again."""
        length = mask.length(text)
        self._rope.replace(length, "x" * length)
        if mask.is_over:
            self._mask = None
        return text[length:]


class _Mask:
    """How far a token goes on that was cut off, or a block up to its end mark."""

    __slots__ = ("_tail", "_until", "is_over")

    def __init__(self, until: re.Pattern[str] | None) -> None:
        self._until = until
        self._tail = ""
        self.is_over = False

    def length(self, text: str) -> int:
        """How much of the next piece belongs to it."""
        if self._until is None:
            end = _TOKEN_END.search(text)
            self.is_over = end is not None
            return end.start() if end else len(text)
        known = self._tail + text
        mark = self._until.search(known)
        self.is_over = mark is not None
        if mark is not None:
            return max(0, mark.end() - len(self._tail))
        self._tail = known[-_LONGEST_MARK:]
        return len(text)


class WholeBlock:
    """Visible text of which the shape lands: held until its block ends, so that it can be told from
    other texts. What comes after it was frozen is shaped as it comes.
    """

    __slots__ = ("_frozen", "_parts", "_rope", "_treat")

    def __init__(self, treat: Callable[[str], str]) -> None:
        self._treat = treat
        self._rope = Rope()
        self._parts: list[str] = []
        self._frozen = False

    def feed(self, slot: Slot) -> None:
        self._rope.add(slot)
        if self._frozen:
            self._rope.replace(len(slot.text), shape(slot.text))
        else:
            self._parts.append(slot.text)

    def close(self) -> None:
        text = "".join(self._parts)
        self._parts.clear()
        if text:
            self._rope.replace(len(text), self._treat(text))

    def freeze(self) -> None:
        self.close()
        self._frozen = True
