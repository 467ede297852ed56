"""``codex exec --json`` to observations: one process, one turn.

Two things are inferred because the stream cannot tell them. Which text is the answer: the last one
with no activity after it. Which texts a retry gave up: those since the last activity.
"""

from __future__ import annotations

from typing import Final, assert_never

import msgspec

from turnreel.adapters import codex_literals
from turnreel.adapters.base import AdapterInfo, Frame, Program
from turnreel.adapters.fields import Fields, damaged
from turnreel.adapters.stdio import Stdio
from turnreel.adapters.working import Working
from turnreel.lifecycle.events import Code
from turnreel.lifecycle.observations import (
    AttemptAbandoned,
    AttemptStarted,
    Awoke,
    Began,
    Ended,
    Noted,
    Planned,
    ToolMoved,
    Troubled,
)
from turnreel.lifecycle.observations import Said as SaidText
from turnreel.lifecycle.observations import Thought as ThoughtOf
from turnreel.lifecycle.signals import AnySignal, Exited, Message
from turnreel.lifecycle.tables import LIMITS
from turnreel.wire.units import Json, Unit

from .claims import CLAIMS
from .frames import (
    KNOWN,
    Completed,
    Error,
    Failed,
    Fallback,
    Known,
    OutFrame,
    Said,
    Steps,
    Thought,
    ThreadStarted,
    ToolEnded,
    ToolStarted,
    TurnStarted,
    Unknown,
    read,
)

INFO: Final = AdapterInfo(
    dialect="codex-exec",
    agent="codex",
    carrier="stdio",
    tier="secondary",
    proven=("0.171.0",),
    boundary_evidence=(
        "the prompt of the command line begins the turn",
        "turn.completed or turn.failed ends it",
    ),
    limits=(
        "no phase: the answer is the last text, and may be commentary",
        "no willRetry: a retry is told by a literal of the runtime",
        "no error code: causes are literals of the runtime",
        "no gates: approvals are refused inside the agent",
        "no frame for a turn that was interrupted",
        "a plan's step is done or not, none is at work",
    ),
    retry_bound=None,
    program=Program(version_line="codex-cli {}"),
    claims=CLAIMS,
)


class State(msgspec.Struct, frozen=True):
    """The turn the process is at. `spoken` are its texts since the last activity, `answering` says
    that the provider's response began, `failure` is the cause of the runtime's last error as long
    as nothing came after it. `torn` says that a line could not be read.
    """

    opened: int = 0
    thread: str | None = None
    turn: str | None = None
    awake: bool = False
    exited: bool = False
    spoken: tuple[str, ...] = ()
    answering: bool = False
    attempt: int = 0
    retries: int = 0
    failure: Code | None = None
    torn: bool = False


_Reading = Working[State]


class CodexExec(Stdio[State, _Reading]):
    """The adapter. Its state is a `State`; it keeps nothing itself."""

    info = INFO

    def begin(self) -> State:
        """The state before anything arrived."""
        return State()

    def working(self, state: State) -> _Reading:
        """The working copy of one step."""
        return Working(state)

    def identity(self, frame: Frame) -> str | None:
        """None: the lines have no identity (R2)."""
        return None

    def printed(self, now: _Reading, value: Fields) -> None:
        """What a line shows."""
        _out(now, read(value))

    def written(self, now: _Reading, value: Json) -> None:
        """The prompt, where the command line has none."""
        _begin(now)

    def unread(self, now: _Reading, unit: Unit) -> None:
        """What may have been a frame is missing."""
        if damaged(unit) and not now.state.torn:
            now.set(torn=True)

    def edge(self, now: _Reading, signal: AnySignal) -> None:
        """The prompt on the command line, and the end of the process."""
        match signal:
            case Message():
                _begin(now)
            case Exited():
                now.set(exited=True, thread=None, turn=None)
            case _:
                pass


ADAPTER: Final = CodexExec()


def _out(now: _Reading, frame: OutFrame) -> None:
    if frame is KNOWN:
        return
    if isinstance(frame, Unknown):
        now.see(Noted(turn="", what=frame.what))
        return
    if isinstance(frame, ThreadStarted):
        now.set(thread=frame.thread)
        return
    turn = _current(now)
    if turn is None:
        now.see(Noted(turn="", what="late frame"))
        return
    match frame:
        case Said(item, text):
            _answers(now, turn)
            now.set(spoken=(*(s for s in now.state.spoken if s != item), item))
            now.see(SaidText(turn=turn, message=item, block=0, text=text, closes=True))
        case Thought(item):
            _answers(now, turn)
            now.see(ThoughtOf(turn=turn, message=item))
        case ToolStarted(item, name, kind):
            _answers(now, turn)
            now.set(spoken=())
            now.see(ToolMoved(turn=turn, activity=item, state="started", kind=kind, name=name))
        case ToolEnded(item, state):
            now.set(answering=False, spoken=())
            now.see(ToolMoved(turn=turn, activity=item, state=state))
        case Steps(items):
            now.see(Planned(turn=turn, items=items))
        case Fallback():
            now.see(Troubled(turn=turn, code="provider_unavailable", lasting=True))
        case Error(sentence):
            _failed(now, turn, sentence)
        case Completed() if now.state.torn:  # what is missing may have been the last text
            now.see(Ended(turn=turn, ending="failed", code="incomplete"))
            now.set(turn=None)
        case Completed():
            _own_up(now, turn)
            now.see(Ended(turn=turn, ending="completed", confidence="positional"))
            now.set(turn=None)
        case Failed(sentence):
            code = codex_literals.cause(sentence) or now.state.failure
            now.see(Ended(turn=turn, ending="failed", code=code))
            now.set(turn=None)
        case TurnStarted() | Known():
            pass
        case other:
            assert_never(other)


def _failed(now: _Reading, turn: str, sentence: str) -> None:
    """``error``: a retry gives up what was said (O3, R8); anything else is the cause, if the turn
    ends with it, and trouble, if it goes on.
    """
    if not sentence.startswith(codex_literals.RETRY):
        now.set(failure=codex_literals.cause(sentence) or "unknown")
        return
    for item in now.state.spoken:
        now.see(AttemptAbandoned(turn=turn, message=item, from_block=1))
    retries = now.state.retries + 1
    now.set(spoken=(), answering=False, retries=retries, failure=None)
    code = codex_literals.cause_of_retry(sentence) or "provider_unavailable"
    now.see(Troubled(turn=turn, code=code, attempt=retries, will_retry=True))


def _answers(now: _Reading, turn: str) -> None:
    """An item of the provider's response: the first one begins it."""
    _own_up(now, turn)
    if not now.state.answering:
        attempt = now.state.attempt + 1
        now.set(answering=True, attempt=attempt, retries=0)
        now.see(AttemptStarted(turn=turn, message=f"{turn}/{attempt}"))


def _own_up(now: _Reading, turn: str) -> None:
    """An error that was not the end is trouble; a limit is none (O2)."""
    if now.state.failure is not None:
        if now.state.failure not in LIMITS:
            now.see(Troubled(turn=turn, code=now.state.failure))
        now.set(failure=None)


def _current(now: _Reading) -> str | None:
    """The turn of the process, awake; None once it has ended."""
    if now.state.turn is None and (now.state.opened == 0 or now.state.exited):
        _begin(now)
    turn = now.state.turn
    if turn is not None and not now.state.awake:
        now.see(Awoke(turn=turn, thread=now.state.thread))
        now.set(awake=True)
    return turn


def _begin(now: _Reading) -> None:
    """One process runs one turn; a new process of the same session begins another."""
    if now.state.opened and not now.state.exited:
        return
    number = now.state.opened + 1
    now.state = State(opened=number, thread=now.state.thread, turn=f"t{number}")
    now.see(Began(turn=f"t{number}"))
