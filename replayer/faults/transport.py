"""Faults of the connection: what is delivered is what was recorded, as far and as fast as told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Ge, Le

from .places import EventPlace, Natural, Place, Positive, Seconds
from .words import ANYWHERE, EVENT, SERVER, STREAMS, OfExchange, Word


@dataclass(frozen=True, kw_only=True)
class Refuse(OfExchange):
    """the provider is not there: the connection is reset before one byte of an answer"""


@dataclass(frozen=True, kw_only=True)
class Status(OfExchange):
    """answer with an error status in the provider's shape; the recorded answer stays unused"""

    status: Annotated[int, Ge(400), Le(599)]
    retry_after: Natural | None = None


@dataclass(frozen=True, kw_only=True)
class Cut(OfExchange):
    """end the stream early: clean (a FIN and no terminator; a closed pipe), chunk (a FIN inside a
    chunk that promised more), or reset (a RST, after the exact byte)
    """

    how: Literal["clean", "chunk", "reset"]
    at: Place


@dataclass(frozen=True, kw_only=True)
class Truncate(OfExchange):
    """end the stream in the middle of an event, or inside its first character of several bytes"""

    inside: Literal["event", "character"] = "event"
    how: Literal["clean", "chunk", "reset"] = "clean"
    at: EventPlace


@dataclass(frozen=True, kw_only=True)
class Stall(OfExchange):
    """silence for so many seconds; what became due meanwhile then comes at once"""

    seconds: Seconds
    at: Place


@dataclass(frozen=True, kw_only=True)
class Hang(OfExchange):
    """silence for good: the stream stays open until the other side leaves, the process until it
    is killed
    """

    at: Place


@dataclass(frozen=True, kw_only=True)
class Drip(OfExchange):
    """deliver an event, or without a place every one, in pieces of so many bytes, a gap of
    milliseconds between them
    """

    size: Positive = 1
    gap: Natural = 5
    at: EventPlace | None = None


@dataclass(frozen=True, kw_only=True)
class Reslice(OfExchange):
    """send the body in chunks of so many bytes, wherever its events begin and end"""

    size: Positive


@dataclass(frozen=True, kw_only=True)
class Delay(OfExchange):
    """everything behind the place, or without one everything, comes so many seconds later"""

    seconds: Seconds
    at: Place | None = None


@dataclass(frozen=True, kw_only=True)
class HalfClose(OfExchange):
    """a FIN while the server still reads: nothing more comes, and what is sent is not refused"""

    at: Place


@dataclass(frozen=True, kw_only=True)
class Close(OfExchange):
    """a WebSocket is closed with this code"""

    code: Annotated[int, Ge(1000), Le(4999)]
    at: EventPlace


WORDS = (
    Word(
        "refuse", Refuse, "transport", SERVER, ("refuse,times=2",), leaves="spoilt",
    ),
    Word(
        "status", Status, "transport", SERVER, ("status:429,times=2,retry-after=1",),
        argument="status", leaves="spoilt",
    ),
    Word(
        "cut", Cut, "transport", STREAMS, ("cut:reset@byte=812", "cut:chunk@event=3"),
        argument="how", places=ANYWHERE, leaves="spoilt",
    ),
    Word(
        "truncate", Truncate, "transport", STREAMS,
        ("truncate@event=4", "truncate:character@event=4"),
        argument="inside", places=EVENT, leaves="spoilt",
    ),
    Word(
        "stall", Stall, "transport", STREAMS, ("stall:0.5@event=3",),
        argument="seconds", places=ANYWHERE,
    ),
    Word(
        "hang", Hang, "transport", STREAMS, ("hang@event=3", "hang@event=terminal"),
        places=ANYWHERE, leaves="spoilt",
    ),
    Word(
        "drip", Drip, "transport", STREAMS, ("drip:1,gap=2@event=3",),
        argument="size", places=EVENT,
    ),
    Word(
        "reslice", Reslice, "transport", SERVER, ("reslice:7",), argument="size",
    ),
    Word(
        "delay", Delay, "transport", STREAMS, ("delay:0.5", "delay:0.5@event=3"),
        argument="seconds", places=ANYWHERE,
    ),
    Word(
        "half-close", HalfClose, "transport", SERVER, ("half-close@event=3",),
        places=ANYWHERE, leaves="spoilt",
    ),
    Word(
        "close", Close, "transport", SERVER, ("close:1011@event=3",),
        argument="code", places=EVENT, leaves="spoilt",
    ),
)  # fmt: skip
