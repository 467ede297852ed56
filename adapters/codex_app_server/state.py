"""What the adapter remembers between frames: one immutable value, and the working copy of a step.

Everything here is native: thread and turn ids, item ids, JSON-RPC ids. None of it reaches an
event.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec.structs import replace

from turnreel.adapters.working import Working
from turnreel.lifecycle.events import Code, GateKind
from turnreel.lifecycle.observations import Role

ENDED_LIMIT: Final = 64
"""Ended turns remembered, so that what comes late opens none."""


class Spoken(msgspec.Struct, frozen=True):
    """A text of the request that is being answered. An unfinished one is not `done`."""

    id: str
    role: Role
    done: bool = False


class Turn(msgspec.Struct, frozen=True):
    """An open turn. `native` is its id once a frame told it.

    `spoken` are the texts of the provider's present response and `answering` says that there is
    one; `attempt` counts them, `retries` the notices since one came. `failure` is the cause of the
    runtime's last error. `aborting` says that the host cancels; `prompted`, `acted` and `compacted`
    what the turn has been seen to do, `review` is what a review found, as long as no message came
    after it.
    """

    key: str
    thread: str
    native: str | None = None
    parent: str | None = None
    awake: bool = False
    spoken: tuple[Spoken, ...] = ()
    answering: bool = False
    attempt: int = 0
    retries: int = 0
    steered: bool = False
    failure: Code | None = None
    aborting: bool = False
    acted: bool = False
    compacted: bool = False
    review: str = ""


class Gate(msgspec.Struct, frozen=True):
    """A request of the agent that nobody answered yet."""

    turn: str
    kind: GateKind
    item: str | None


class Pending(msgspec.Struct, frozen=True):
    """A request of the host without a response. `turn` is the run it began, if it began one: while
    the thread has a turn, a start may only join it. `steers` says that it can do nothing else.
    """

    thread: str
    turn: str | None = None
    steers: bool = False


class State(msgspec.Struct, frozen=True):
    """The adapter's state. Dictionaries are never changed in place.

    `parents` maps a child's thread to its parent's, `last` a thread to its latest turn; `ended` has
    the ids of turns that are over, with their keys. `hosted` says that the host's side is recorded.
    """

    opened: int = 0
    turns: tuple[Turn, ...] = ()
    gates: dict[str, Gate] = {}
    pending: dict[str, Pending] = {}
    parents: dict[str, str] = {}
    last: dict[str, str] = {}
    ended: dict[str, str] = {}
    hosted: bool = False


class Reading(Working[State]):
    """The working copy of one step, and which turns there are in it."""

    __slots__ = ()

    def change(self, turn: Turn, **changes: Any) -> Turn:
        """Change fields of an open turn; gives the changed turn."""
        changed = replace(turn, **changes)
        if changed == turn:
            return turn
        self.set(turns=tuple(changed if t.key == turn.key else t for t in self.state.turns))
        return changed

    def turn(self, key: str) -> Turn | None:
        """The open turn with this key."""
        return next((t for t in self.state.turns if t.key == key), None)

    def named(self, native: str) -> Turn | None:
        """The open turn with this id."""
        return next((t for t in self.state.turns if t.native == native), None)

    def on(self, thread: str) -> tuple[Turn, ...]:
        """The open turns of a thread, oldest first."""
        return tuple(t for t in self.state.turns if t.thread == thread)
