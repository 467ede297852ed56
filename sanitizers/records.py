"""What goes into the sanitizer and the only thing that comes out of it.

`Raw` is a captured record as the edge saw it: unsafe, in memory only. `Clean` is what may land.
Writers accept `Clean` alone, and only this package makes one: that is how the type checker
proves that nothing unsanitized reaches a disk (S1).
"""

from __future__ import annotations

from typing import Final, final

import msgspec

from turnreel.wire.units import Json, Unit


class Raw(msgspec.Struct, frozen=True):
    """A captured record. `at_us` is microseconds since the capture began; `body` is a native
    unit (codes in, out, err, data, send, receive) or the fields of any other record; `exchange`
    numbers the http requests and websockets of a track from 1; `reads` are the sizes in bytes
    of the socket reads this unit spans.
    """

    at_us: int
    track: str
    code: str
    body: Unit | dict[str, Json]
    exchange: int | None = None
    reads: tuple[int, ...] | None = None


class _Pass:
    """The token that only the sanitizer holds."""


PASS: Final = _Pass()
"""Held by this package; importing it elsewhere is a defect that a test looks for."""


@final
class Clean:
    """A sanitized record: same place, time and kind as its `Raw`, with a body that may land."""

    __slots__ = ("at_us", "body", "code", "exchange", "reads", "track")

    def __init__(
        self,
        token: _Pass,
        at_us: int,
        track: str,
        code: str,
        body: Unit | dict[str, Json],
        exchange: int | None = None,
        reads: tuple[int, ...] | None = None,
    ) -> None:
        if token is not PASS:
            raise TypeError("only turnreel.sanitizers makes clean records")
        self.at_us = at_us
        self.track = track
        self.code = code
        self.body = body
        self.exchange = exchange
        self.reads = reads
