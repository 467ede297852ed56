"""A turn of Hermes on its way, whatever surface it speaks through: its state, how it begins and
how it ends.

`speech` holds what the model said in it, `tools` what it called and asked.
"""

from __future__ import annotations

import msgspec

from turnreel.adapters.working import Working
from turnreel.lifecycle.events import Code, GateKind
from turnreel.lifecycle.observations import (
    Awoke,
    Began,
    Ended,
    Refused,
)

from .pieces import NONE, Pieces


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
    that was told as commentary, as long as nothing came after it; `before` is what was said before
    the last tool that something was said before. `gone` are the ids of the tools that closed last,
    `torn` says that a frame could not be read.
    """

    key: str
    awake: bool = False
    messages: int = 0
    pieces: Pieces = NONE
    over: bool = False
    live: bool = False
    again: bool = False
    told: str = ""
    before: str = ""
    tools: tuple[Tool, ...] = ()
    gone: tuple[str, ...] = ()
    called: int = 0
    gates: tuple[Gate, ...] = ()
    asked: int = 0
    cancelling: bool = False
    torn: bool = False

    @property
    def text(self) -> str:
        """The present message so far."""
        return self.pieces.text

    @property
    def message(self) -> str:
        """The native name of the present message."""
        return f"{self.key}/{self.messages}"


class Reading(Working[Turn]):
    """The working copy of one step in one turn. `ended` says that the turn is over."""

    __slots__ = ("ended",)

    def __init__(self, turn: Turn) -> None:
        super().__init__(turn)
        self.ended = False

    @property
    def turn(self) -> Turn:
        """The turn so far."""
        return self.state

    @property
    def key(self) -> str:
        """The turn's key."""
        return self.state.key


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
