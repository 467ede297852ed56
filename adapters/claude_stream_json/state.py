"""What the adapter remembers between frames: one immutable value, and the working copy of a step.

Everything here is native: turn keys, message ids, tool ids, request ids. None of it reaches an
event.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from turnreel.adapters.working import Working
from turnreel.lifecycle.events import Code, GateKind, PlanItem
from turnreel.lifecycle.observations import StopKind
from turnreel.lifecycle.shelf import Shelf


class Message(msgspec.Struct, frozen=True):
    """The native message a turn is at.

    `blocks` counts its completed blocks, which are numbered by order since the stream gives
    completed blocks no index. `streamed` says that its start was seen, so that its end is due.
    """

    id: str
    streamed: bool
    blocks: int = 0
    visible: bool = False
    acted: bool = False
    stop: StopKind | None = None
    end: Literal["due", "unexplained", "abandoned", "closed"] = "due"


class Turn(msgspec.Struct, frozen=True):
    """An open native turn of the main thread, or of a child agent (`parent` is then its turn).

    `prompts` are the uuids of its user messages, `messages` has the ids of its native messages:
    results are routed by both. `message` is the present one, None until the model is asked;
    `by_uuid` maps frame uuids to messages, for retraction. `failure` is the typed cause of the
    runtime's last error, as long as nothing came after it; `refused` says that the model refused,
    `halted` that a hook stopped the turn, `runtime` that the runtime answers it itself, `aborting`
    that the host cancels. `session` is the one whose ``init`` woke it.
    """

    key: str
    parent: str | None = None
    session: str | None = None
    caused_by: str | None = None
    prompts: tuple[str, ...] = ()
    awake: bool = False
    message: Message | None = None
    messages: Shelf[bool] = Shelf()
    by_uuid: Shelf[str] = Shelf()
    failure: Code | None = None
    refused: bool = False
    halted: bool = False
    runtime: bool = False
    aborting: bool = False


class Tool(msgspec.Struct, frozen=True):
    """An open tool call. `told` says that its close was told before its result came, `plan` is
    the plan that stands once it succeeds.
    """

    turn: str
    told: bool = False
    plan: tuple[PlanItem, ...] = ()


class Gate(msgspec.Struct, frozen=True):
    """A question of the agent that nobody answered yet."""

    turn: str
    kind: GateKind
    tool: str | None


class Task(msgspec.Struct, frozen=True):
    """A background task or child agent at work: the turn that started it."""

    turn: str
    task: str
    agent: bool


class Queued(msgspec.Struct, frozen=True):
    """A user message sent while a turn was open. `folded` says that the turn has since asked the
    model again, so that it may have taken the message in.
    """

    uuid: str | None
    started: bool = False
    folded: bool = False


class State(msgspec.Struct, frozen=True):
    """The adapter's state. Dictionaries are never changed in place.

    `cause` is the turn whose background work reported back and is waiting for a turn of its
    own. `begins` says that this stream prints ``init`` for every turn, `names` that it names
    user messages there, `hosted` that the host's side is recorded, `exited` that the process
    ended.
    """

    opened: int = 0
    turns: tuple[Turn, ...] = ()
    tools: dict[str, Tool] = {}
    gates: dict[str, Gate] = {}
    tasks: dict[str, Task] = {}
    queue: tuple[Queued, ...] = ()
    cause: str | None = None
    session: str | None = None
    begins: bool = False
    names: bool = False
    hosted: bool = False
    exited: bool = False


class Reading(Working[State]):
    """The working copy of one step, and which turns there are in it. `session` is the one that the
    frame names: of other sessions' turns it does not speak (R9).
    """

    __slots__ = ("session",)

    def __init__(self, state: State, session: str | None = None) -> None:
        super().__init__(state)
        self.session = session

    def change(self, turn: Turn, **changes: Any) -> Turn:
        """Change fields of an open turn; gives the changed turn."""
        changed = replace(turn, **changes)
        turns = tuple(changed if t.key == turn.key else t for t in self.state.turns)
        self.set(turns=turns)
        return changed

    def turn(self, key: str) -> Turn | None:
        """The open turn with this key."""
        for turn in self.state.turns:
            if turn.key == key:
                return turn
        return None

    def main(self) -> tuple[Turn, ...]:
        """The open turns of the main thread that the frame may speak of, oldest first."""
        return tuple(
            turn
            for turn in self.state.turns
            if turn.parent is None
            and (self.session is None or turn.session in (None, self.session))
        )

    def current(self) -> Turn | None:
        """The turn that the main thread's frames speak of: the youngest that is awake."""
        turns = self.main()
        for turn in reversed(turns):
            if turn.awake:
                return turn
        return turns[-1] if turns else None
