"""A turn of Hermes on its way, whatever surface it speaks through: its state, how it begins and
how it ends.

`speech` holds what the model said in it, `tools` what it called and asked.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from turnreel.lifecycle.events import Code, GateKind
from turnreel.lifecycle.observations import (
    AnyObservation,
    Awoke,
    Began,
    Ended,
    Refused,
)


class Tool(msgspec.Struct, frozen=True):
    """A tool call: its native id, or one given in order where the surface has none."""

    id: str
    name: str
    is_open: bool = True


class Gate(msgspec.Struct, frozen=True):
    """A question that nobody answered yet. `asks` is what the runtime asked, to know it again."""

    request: str
    kind: GateKind
    asks: str = ""


class Turn(msgspec.Struct, frozen=True):
    """An open native turn.

    `messages` counts the model's messages that have begun; `pieces` are the deltas of the present
    one. `over` says that it is known to be complete, `live` that it is shown while it grows,
    `again` that the model is asked again after a dropped connection. `told` is the last message
    that was told as commentary, as long as nothing came after it.
    """

    key: str
    awake: bool = False
    messages: int = 0
    pieces: tuple[str, ...] = ()
    over: bool = False
    live: bool = False
    again: bool = False
    told: str = ""
    tools: tuple[Tool, ...] = ()
    called: int = 0
    gates: tuple[Gate, ...] = ()
    asked: int = 0
    cancelling: bool = False

    @property
    def text(self) -> str:
        """The present message so far."""
        return "".join(self.pieces)

    @property
    def message(self) -> str:
        """The native name of the present message."""
        return f"{self.key}/{self.messages}"


class Reading:
    """The working copy of one step in one turn: the turn so far and what was seen."""

    __slots__ = ("ended", "seen", "turn")

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.seen: list[AnyObservation] = []
        self.ended = False

    def see(self, *observations: AnyObservation) -> None:
        """Append observations, in order."""
        self.seen.extend(observations)

    def set(self, **changes: Any) -> None:
        """Change fields of the turn's copy."""
        self.turn = replace(self.turn, **changes)

    @property
    def key(self) -> str:
        """The turn's key."""
        return self.turn.key


def begin(key: str) -> Reading:
    """A turn begins."""
    now = Reading(Turn(key))
    now.see(Began(turn=key))
    return now


def awake(now: Reading) -> None:
    """The agent told something of this turn."""
    if not now.turn.awake:
        now.set(awake=True)
        now.see(Awoke(turn=now.key))


def fail(now: Reading, code: Code | None = None) -> None:
    """The native end without an answer."""
    now.see(Ended(turn=now.key, ending="failed", code=code))
    now.ended = True


def interrupt(now: Reading) -> None:
    """The native end that the host or a person caused (T7)."""
    now.see(Ended(turn=now.key, ending="interrupted"))
    now.ended = True


def refuse(now: Reading, code: Code | None) -> None:
    """The start was refused (R9)."""
    now.see(Refused(turn=now.key, code=code))
    now.ended = True
