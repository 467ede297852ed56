"""Places: where in a recording a fault happens.

Rules of this file
- A place is counted in what was *recorded*: events from 1, bytes of the decoded body (or of
  stdout) from 0, seconds from the request or the agent's start, whatever the pace of the replay.
- "At event k" means when event k has been delivered whole; event 0 is the head alone. "At byte n"
  means when exactly n bytes have been delivered, "at s seconds" when all of before was.
- Events of a type count among themselves from 1, in recorded order.
- What a dialect ends a stream with may be several events; "at the terminal" is behind all of them,
  one back is right before the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from annotated_types import Ge, Le, MinLen

Natural = Annotated[int, Ge(0)]
Positive = Annotated[int, Ge(1)]
Seconds = Annotated[float, Ge(0), Le(86_400)]


@dataclass(frozen=True)
class AtEvent:
    """When this many recorded events have been delivered."""

    event: Natural


@dataclass(frozen=True)
class AtMatch:
    """When the `nth` event of this type has been delivered. The type is what an event calls itself
    in a dry run, or words of it: ``message_delta``, ``system/init``, ``result``.
    """

    type: Annotated[str, MinLen(1)]
    nth: Positive = 1


@dataclass(frozen=True)
class AtTerminal:
    """When the stream's terminal has been delivered, or `back` events before it began."""

    back: Natural = 0


@dataclass(frozen=True)
class AtByte:
    """When exactly this many bytes of the decoded body have been delivered."""

    byte: Natural


@dataclass(frozen=True)
class AtTime:
    """When this much of the recorded time has passed."""

    time: Seconds


@dataclass(frozen=True)
class AtRandom:
    """At an event or byte drawn with the plan's seed, among those the recording has."""

    of: Literal["event", "byte"]


EventPlace = AtEvent | AtMatch | AtTerminal | AtRandom
Place = EventPlace | AtByte | AtTime

Kind = Literal["event", "byte", "time"]
"""What a place may be counted in; an event is named by its number, its type or as the terminal."""

LAST: Final = AtTerminal(1)
"""The last event before the terminal."""


def text_of(place: Place) -> str:
    """The place as a spec says it, without the ``@``."""
    match place:
        case AtEvent(event):
            return f"event={event}"
        case AtMatch(type, nth):
            return f"type={type}" + (f",nth={nth}" if nth > 1 else "")
        case AtTerminal(back):
            return "event=terminal" + (f"-{back}" if back else "")
        case AtByte(byte):
            return f"byte={byte}"
        case AtTime(time):
            return f"time={number_of(time)}"
        case AtRandom(of):
            return f"{of}=random"


def number_of(value: float) -> str:
    """A number as people write it, which reads back equal."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)
