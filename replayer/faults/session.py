"""Faults of the conversation: who listens leaves, comes back, or hears it all again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .places import EventPlace, Place
from .words import AGENT, ANYWHERE, CLIENT, EVENT, STREAMS, AnyFault, OfExchange, Word


@dataclass(frozen=True, kw_only=True)
class Cancel(OfExchange):
    """the host cancels: the client leaves; the shim waits for SIGINT or SIGTERM, then dies of it or
    plays on
    """

    at: Place
    then: Literal["stop", "rest"] = "stop"


@dataclass(frozen=True, kw_only=True)
class Reconnect(OfExchange):
    """the client leaves and asks again: from the last id it saw, from the beginning, or from an id
    that nobody gave out
    """

    since: Literal["last", "zero", "unknown"]
    at: Place


@dataclass(frozen=True, kw_only=True)
class Replay(OfExchange):
    """all of the stream up to the place, its end unless told, is delivered again"""

    at: EventPlace | None = None


@dataclass(frozen=True, kw_only=True)
class Resume(AnyFault):
    """the shim begins behind the event, as a new process that resumes what another began"""

    at: EventPlace


WORDS = (
    Word(
        "cancel", Cancel, "session", CLIENT | AGENT, ("cancel@event=4", "cancel:rest@event=4"),
        argument="then", places=ANYWHERE,
    ),
    Word(
        "reconnect", Reconnect, "session", CLIENT,
        ("reconnect:last@event=3", "reconnect:zero@event=3", "reconnect:unknown@event=3"),
        argument="since", places=ANYWHERE,
    ),
    Word("replay", Replay, "session", STREAMS, ("replay", "replay@event=3"), places=EVENT),
    Word("resume", Resume, "session", AGENT, ("resume@event=3",), places=EVENT),
)  # fmt: skip
