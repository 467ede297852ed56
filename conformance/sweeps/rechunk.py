"""Re-chunk: the native bytes of every stream, cut anew, frame to the same units (R3).

Units are all that adapters see, so equal units are equal events. The bytes are those that a replay
would send; that they frame to the recorded units at all is the check of bytes.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Final

from msgspec.structs import replace

from turnreel.adapters.base import Arrival, Frame
from turnreel.conformance.findings import Check
from turnreel.wire import (
    BodyFramer,
    BodyFraming,
    Framer,
    JsonUnit,
    LineFramer,
    LineFraming,
    SseFramer,
    SseFraming,
    TextUnit,
    TornUnit,
    Unit,
    encode,
)

from .breach import Breach

STREAMED: Final = frozenset({"in", "out", "err", "data"})
"""Codes whose units come from a stream of bytes."""

BYTE_BY_BYTE: Final = 4 * 1024
"""Bytes at the start of a stream that are also fed one at a time."""


class Stream:
    """Units in a row that one framer read: a stdio stream up to its end, or one http body."""

    def __init__(self, kind: type[LineFraming | SseFraming | BodyFraming]) -> None:
        self.kind = kind
        self.places: list[int] = []
        self.units: list[Unit] = []
        self.pieces: list[bytes] = []

    def framer(self) -> Framer:
        """A framer of the stream's kind."""
        if self.kind is LineFraming:
            return LineFramer()
        return SseFramer() if self.kind is SseFraming else BodyFramer()


def streams(arrivals: Iterable[Arrival]) -> list[Stream]:
    """The streams of a recording, in the order in which they began."""
    found: list[Stream] = []
    going: dict[tuple[object, ...], Stream] = {}
    for place, arrival in enumerate(arrivals):
        if not isinstance(arrival, Frame) or arrival.code not in STREAMED:
            continue
        unit = arrival.unit
        if isinstance(unit, TornUnit) and unit.cause == "long":
            continue  # filler of its size would be as long
        key = (arrival.track, arrival.code, arrival.exchange)
        stream = going.get(key)
        if stream is None or stream.kind is not type(unit.framing):
            stream = going[key] = Stream(type(unit.framing))
            found.append(stream)
        stream.places.append(place)
        stream.units.append(unit)
        stream.pieces.append(encode(unit))
        if _ends_its_stream(unit):
            del going[key]
    return found


def bytes_again(found: Iterable[Stream]) -> Iterator[list[Breach]]:
    """Each stream's bytes in one piece."""
    for stream in found:
        yield _compared(stream, [b"".join(stream.pieces)], "bytes", "in one piece")


def rechunk(found: Iterable[Stream], seed: int) -> Iterator[list[Breach]]:
    """Each stream's bytes split inside every unit at a place drawn by `seed`, and its first bytes
    one at a time.
    """
    chance = random.Random(seed)
    for stream in found:
        yield _compared(stream, list(_splits(stream.pieces, chance)), "rechunk", "split anew")
        head = b"".join(stream.pieces[: _few(stream.pieces)])
        single = [head[place : place + 1] for place in range(len(head))]
        rest = b"".join(stream.pieces[_few(stream.pieces) :])
        yield _compared(stream, [*single, rest], "rechunk", "byte by byte")


def _splits(pieces: Iterable[bytes], chance: random.Random) -> Iterator[bytes]:
    """The bytes in chunks that each reach from inside a unit into a later one."""
    pending = b""
    for piece in pieces:
        place = chance.randint(0, len(piece))
        yield pending + piece[:place]
        pending = piece[place:]
    yield pending


def _few(pieces: list[bytes]) -> int:
    size = 0
    for count, piece in enumerate(pieces):
        size += len(piece)
        if size > BYTE_BY_BYTE:
            return count
    return len(pieces)


def _compared(stream: Stream, chunks: Iterable[bytes], check: Check, how: str) -> list[Breach]:
    framer = stream.framer()
    units = [unit for chunk in chunks for unit in framer.feed(chunk)]
    units += framer.close()
    was, now = list(map(_essence, stream.units)), list(map(_essence, units))
    if was == now:
        return []
    pairs = zip_longest(was, now)
    first = next(index for index, (one, other) in enumerate(pairs) if one != other)
    place = stream.places[min(first, len(stream.places) - 1)]
    message = f"unit {first + 1} of {len(was)} reads otherwise {how} ({len(now)} units)"
    return [Breach(check, "R3", message, place + 1)]


def _ends_its_stream(unit: Unit) -> bool:
    match unit:
        case TornUnit(cause="cut"):
            return True
        case JsonUnit(framing=LineFraming(ending="")) | TextUnit(framing=LineFraming(ending="")):
            return True
        case _:
            return isinstance(unit.framing, BodyFraming)


def _essence(unit: Unit) -> Unit:
    """What must be read again: a style that sanitizing made ambiguous, and the size of filler, may
    differ.
    """
    match unit:
        case JsonUnit():
            return replace(unit, style="compact")
        case TornUnit(framing=SseFraming() as framing):
            return replace(unit, size=0, framing=replace(framing, layout=None))
        case TornUnit():
            return replace(unit, size=0)
        case TextUnit():
            return unit
