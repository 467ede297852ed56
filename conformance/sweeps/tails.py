"""How streams go on, shared between those that end alike; and whether two are the same.

A fingerprint is a polynomial over the hashes of events as they are compared, so that the one of a
concatenation follows from its parts and no stream has to be put together to be recognised.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from turnreel.lifecycle.events import AnyEvent

_MODULUS: Final = (1 << 127) - 1
_BASE: Final = 0x9E3779B97F4A7C15F39CC0605CEDC835


def bare(events: Iterable[AnyEvent]) -> list[AnyEvent]:
    """Events as they are compared: without evidence and time."""
    return [replace(event, evidence=(), at_ms=0) for event in events]


def fingerprint(events: Iterable[AnyEvent]) -> int:
    """The fingerprint of some events."""
    value = 0
    for event in bare(events):
        value = (value * _BASE + hash(event)) % _MODULUS
    return value


def joined(one: int, other: int, length: int) -> int:
    """The fingerprint of two sequences in a row, the second of them `length` long."""
    return (one * pow(_BASE, length, _MODULUS) + other) % _MODULUS


class Tail:
    """Events that follow a place, then those of `rest`. `length` counts all of them, `fingerprint`
    is of all of them.
    """

    __slots__ = ("events", "fingerprint", "length", "rest")

    def __init__(self, events: Sequence[AnyEvent] = (), rest: Tail | None = None) -> None:
        self.events = events
        self.rest = rest
        self.length: int = len(events)
        self.fingerprint: int = fingerprint(events)
        if rest is not None:
            self.length += rest.length
            self.fingerprint = joined(self.fingerprint, rest.fingerprint, rest.length)

    def __iter__(self) -> Iterator[AnyEvent]:
        tail: Tail | None = self
        while tail is not None:
            yield from tail.events
            tail = tail.rest


END: Final = Tail()


def before(events: Sequence[AnyEvent], tail: Tail) -> Tail:
    """The tail with `events` in front."""
    return Tail(events, tail) if events else tail
