"""Faults of the stream's content: events that are lost, repeated, moved, broken, or were never
recorded. What has to be made up is built by the dialect (`turnreel.adapters.forging`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le

from .places import LAST, EventPlace, Positive
from .words import EVENT, STREAMS, OfExchange, Word


@dataclass(frozen=True, kw_only=True)
class OfEvent(OfExchange):
    """A fault of one event."""

    at: EventPlace


@dataclass(frozen=True, kw_only=True)
class Drop(OfEvent):
    """one event does not come"""


@dataclass(frozen=True, kw_only=True)
class Duplicate(OfEvent):
    """deliver one event twice in a row"""


@dataclass(frozen=True, kw_only=True)
class Reorder(OfEvent):
    """one event comes so many events later than it was recorded"""

    by: Positive = 1


@dataclass(frozen=True, kw_only=True)
class Late(OfExchange):
    """one event, the last before the terminal unless told, comes behind the terminal"""

    at: EventPlace = LAST


@dataclass(frozen=True, kw_only=True)
class SecondTerminal(OfExchange):
    """the terminal comes again under an identity of its own"""


@dataclass(frozen=True, kw_only=True)
class ConflictingTerminal(OfExchange):
    """behind the terminal comes one that says otherwise: failed after success, or the reverse"""


@dataclass(frozen=True, kw_only=True)
class MissingTerminal(OfExchange):
    """everything comes but the terminal"""


@dataclass(frozen=True, kw_only=True)
class Unknown(OfEvent):
    """behind the event comes one of a type that nobody knows"""


@dataclass(frozen=True, kw_only=True)
class Malformed(OfEvent):
    """the event's JSON breaks off in the middle; its frame is whole"""


@dataclass(frozen=True, kw_only=True)
class ChangedId(OfEvent):
    """the event comes under ids that nothing else has"""


@dataclass(frozen=True, kw_only=True)
class NativeRetry(OfEvent):
    """the attempt fails behind the event in the dialect's own words, and comes again: from the
    agent in the same stream, from a provider when the client asks again
    """


@dataclass(frozen=True, kw_only=True)
class SuccessThenError(OfExchange):
    """behind the terminal comes an error in the dialect's own words"""


@dataclass(frozen=True, kw_only=True)
class PingStorm(OfEvent):
    """behind the event come so many signs of life"""

    count: Annotated[int, Ge(1), Le(100_000)]


WORDS = (
    Word("drop", Drop, "event", STREAMS, ("drop@event=3",), places=EVENT),
    Word(
        "duplicate", Duplicate, "event", STREAMS,
        ("duplicate@event=3", "duplicate@type=message_delta,nth=1"), places=EVENT,
    ),
    Word("reorder", Reorder, "event", STREAMS, ("reorder,by=2@event=3",), places=EVENT),
    Word("late", Late, "event", STREAMS, ("late", "late@event=3"), places=EVENT),
    Word("second-terminal", SecondTerminal, "event", STREAMS, ("second-terminal",)),
    Word("conflicting-terminal", ConflictingTerminal, "event", STREAMS, ("conflicting-terminal",)),
    Word("missing-terminal", MissingTerminal, "event", STREAMS, ("missing-terminal",)),
    Word("unknown", Unknown, "event", STREAMS, ("unknown@event=3",), places=EVENT),
    Word("malformed", Malformed, "event", STREAMS, ("malformed@event=3",), places=EVENT),
    Word("changed-id", ChangedId, "event", STREAMS, ("changed-id@event=1",), places=EVENT),
    Word(
        "native-retry", NativeRetry, "event", STREAMS, ("native-retry@event=5",),
        places=EVENT, leaves="spoilt",
    ),
    Word("success-then-error", SuccessThenError, "event", STREAMS, ("success-then-error",)),
    Word(
        "ping-storm", PingStorm, "event", STREAMS, ("ping-storm:100@event=3",),
        argument="count", places=EVENT,
    ),
)  # fmt: skip
