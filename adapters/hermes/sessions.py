"""Hermes behind pipes: JSON-RPC with several sessions, each with one turn at a time."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from turnreel.adapters.base import Frame
from turnreel.adapters.fields import damaged
from turnreel.adapters.stdio import Stdio
from turnreel.adapters.working import Working, with_entry, without
from turnreel.lifecycle.observations import CancelAsked, Noted
from turnreel.lifecycle.signals import AnySignal, CancelRequested, Exited
from turnreel.wire.units import JsonUnit, Unit

from . import tools, turns
from .turns import Reading, Turn


class Queued(msgspec.Struct, frozen=True):
    """A prompt sent while a turn of its session was open."""

    request: str
    session: str


class State(msgspec.Struct, frozen=True):
    """`turns` are the open turns by session, `starts` the requests that began one and whose answer
    is due, `queue` the prompts that wait, `children` the subagents at work with the turn that
    called them. `hosted` says that the client's side is recorded.
    """

    opened: int = 0
    turns: dict[str, Turn] = {}
    starts: dict[str, str] = {}
    queue: tuple[Queued, ...] = ()
    children: dict[str, str] = {}
    hosted: bool = False


class Step(Working[State]):
    """The working copy of one step over all sessions."""

    __slots__ = ()

    def note(self, what: str) -> None:
        """Count something that moves no turn."""
        self.see(Noted(turn="", what=what[:80]))

    def unread(self, unit: Unit) -> None:
        """A line that was meant as a frame is missing in every turn."""
        if damaged(unit) and not all(turn.torn for turn in self.state.turns.values()):
            torn = {k: replace(turn, torn=True) for k, turn in self.state.turns.items()}
            self.set(turns=torn)

    def open(self) -> Reading:
        """A turn begins."""
        number = self.state.opened + 1
        self.set(opened=number)
        return turns.begin(str(number))

    def keep(self, session: str, now: Reading) -> None:
        """Take over what was made of the turn of `session`."""
        self.seen += now.seen
        known = self.state.turns.get(session)
        if now.ended:
            self.set(turns=without(self.state.turns, session))
        elif known is not now.turn:
            self.set(turns=with_entry(self.state.turns, session, now.turn))

    def submit(self, session: str, request: str) -> None:
        """A prompt begins a turn; while one is open it waits."""
        if session in self.state.turns:
            self.set(queue=(*self.state.queue, Queued(request, session)))
        else:
            self.keep(session, self.open())
            self.set(starts=with_entry(self.state.starts, request, session))

    def answered(self, request: str) -> str | None:
        """The session of the prompt whose answer this is; it is no longer due."""
        session = self.state.starts.get(request)
        if session is not None:
            self.set(starts=without(self.state.starts, request))
        return session

    def joined(self, request: str) -> None:
        """A prompt that waited opens no turn: it joined the one that runs, or was refused."""
        queue = tuple(q for q in self.state.queue if q.request != request)
        if len(queue) != len(self.state.queue):
            self.set(queue=queue)

    def next_prompt(self, session: str) -> None:
        """The oldest prompt that waits for this session has its turn."""
        mine = [q for q in self.state.queue if q.session == session]
        if mine:
            self.set(queue=tuple(q for q in self.state.queue if q is not mine[0]))

    def waits(self, session: str) -> bool:
        """Whether a prompt waits for this session."""
        return any(q.session == session for q in self.state.queue)

    def cancel(self, session: str) -> None:
        """The client asked on its own input to cancel the turn of a session, and the subagents
        that it waits for (T7).
        """
        turn = self.state.turns.get(session)
        if turn is None:
            self.note("cancel while idle")
            return
        now = Reading(turn)
        now.set(cancelling=True)
        now.see(CancelAsked(turn=now.key))
        for child, parent in self.state.children.items():
            if parent == now.key:
                now.see(CancelAsked(turn=child))
        self.keep(session, now)

    def cancelled(self, named: str | None) -> None:
        """The edge says that the host asked to cancel."""
        for session, turn in self.state.turns.items():
            if named in (None, turn.key) and not turn.cancelling:
                now = Reading(turn)
                now.set(cancelling=True)
                self.keep(session, now)

    def hung_up(self) -> None:
        """The client closed the input: nobody can answer what is still asked (G7)."""
        for session, turn in self.state.turns.items():
            now = Reading(turn)
            for gate in turn.gates:
                tools.resolve(now, gate, "withdrawn")
            self.keep(session, now)

    def exited(self) -> None:
        """The process ended: what still waits was sent and never answered (T4)."""
        for _ in self.state.queue:
            self.seen += self.open().seen
        self.state = State(opened=self.state.opened, hosted=self.state.hosted)

    def heard_host(self) -> None:
        """The client's side is recorded."""
        if not self.state.hosted:
            self.set(hosted=True)


class Sessions(Stdio[State, Step]):
    """An adapter of several sessions. A dialect reads the lines of either side."""

    def begin(self) -> State:
        """The state before anything arrived."""
        return State()

    def working(self, state: State) -> Step:
        """The working copy over all sessions."""
        return Step(state)

    def identity(self, frame: Frame) -> str | None:
        """The id of a request or an answer; notifications have none (R2)."""
        return identity(frame)

    def unread(self, now: Step, unit: Unit) -> None:
        """What may have been a frame is missing."""
        now.unread(unit)

    def hung_up(self, now: Step) -> None:
        """Nobody answers any more."""
        now.hung_up()

    def edge(self, now: Step, signal: AnySignal) -> None:
        """Cancels, and the end of the process."""
        match signal:
            case CancelRequested(turn=named):
                now.cancelled(named)
            case Exited():
                now.exited()
            case _:
                pass


def identity(frame: Frame) -> str | None:
    """The id of a request or an answer; notifications have none (R2)."""
    match frame.unit.value if isinstance(frame.unit, JsonUnit) else None:
        case {"id": str() | int() as number, "method": str(method)}:
            return f"{method} {number}"
        case {"id": str() | int() as number}:
            return f"answer {number}"
        case _:
            return None
