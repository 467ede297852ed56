"""Codex' app-server to observations.

One step reads one frame and lets the module it concerns speak: `turns` (which turn), `messages`
(what was said), `tools` (what was done and asked), `results` (how it ended).
"""

from __future__ import annotations

from typing import Final, assert_never

from turnreel.adapters.base import AdapterInfo, Frame, Program
from turnreel.adapters.fields import Fields, fields, text
from turnreel.adapters.stdio import Stdio
from turnreel.lifecycle.observations import Noted
from turnreel.lifecycle.signals import AnySignal, CancelRequested, Exited
from turnreel.wire.units import Json, JsonUnit

from . import messages, results, tools, turns
from .claims import CLAIMS
from .frames import (
    Answer,
    Answered,
    AnyItem,
    Asks,
    Child,
    Compaction,
    Error,
    Fallback,
    InFrame,
    Interrupt,
    ItemMoved,
    Known,
    Message,
    Other,
    OutFrame,
    Piece,
    Progress,
    Prompt,
    Proposal,
    Reply,
    Review,
    Settled,
    Start,
    Steer,
    Steps,
    Thinking,
    ThreadKnown,
    Tool,
    TurnEnded,
    TurnStarted,
    Unknown,
)
from .grammar import KNOWN, key, read_out
from .host import read_in
from .state import Reading, State, Turn

INFO: Final = AdapterInfo(
    dialect="codex-app-server",
    agent="codex",
    carrier="stdio",
    tier="primary",
    proven=("0.171.0",),
    boundary_evidence=("turn/start or turn/started begins a turn", "turn/completed ends a turn"),
    limits=(
        "retries of an HTTP request, and the first of a WebSocket, show on the provider's track"
        " only",
        "a web search, an image view and a sleep have no status: their success is unknown",
        "a question delivered beside the turn has no frame that answers it",
        "a plan proposed in plan mode is shown as a plan of one step and is no answer",
        "plan mode, review mode, tools of MCP servers and child agents were read in the program's"
        " schema, not recorded",
        "no recording has a turn that the agent began by itself",
    ),
    retry_bound=None,
    program=Program(version_line="codex-cli {}", calls="json-rpc"),
    claims=CLAIMS,
)

IDENTIFIED: Final = frozenset({"item/started", "item/completed", "error", "turn/completed"})
"""Notifications that never come twice in one millisecond for one item or turn."""


class CodexAppServer(Stdio[State, Reading]):
    """The adapter. Its state is a `State`; it keeps nothing itself."""

    info = INFO

    def begin(self) -> State:
        """The state before anything arrived."""
        return State()

    def working(self, state: State) -> Reading:
        """The working copy of one step."""
        return Reading(state)

    def printed(self, now: Reading, value: Fields) -> None:
        """What a frame of the server shows."""
        frame = read_out(value)
        if frame is not KNOWN:
            _out(now, frame)

    def written(self, now: Reading, value: Json) -> None:
        """What a frame of the host asks for."""
        if not now.state.hosted:
            now.set(hosted=True)
        if isinstance(value, dict):
            _in(now, read_in(value))
        else:
            now.see(Noted(turn="", what="unreadable host line"))

    def hung_up(self, now: Reading) -> None:
        """Nobody answers any more."""
        tools.hung_up(now)

    def edge(self, now: Reading, signal: AnySignal) -> None:
        """Cancels, and the end of the process."""
        match signal:
            case CancelRequested():
                for turn in now.state.turns:
                    now.change(turn, aborting=True)
            case Exited():
                turns.left(now)
            case _:
                pass

    def identity(self, frame: Frame) -> str | None:
        """A JSON-RPC id with what it names; of a notification its item or turn and its time
        (R2).
        """
        value = frame.unit.value if isinstance(frame.unit, JsonUnit) else None
        if not isinstance(value, dict):
            return None
        params, method = fields(value, "params"), text(value, "method")
        turn = text(params, "turnId") or text(fields(params, "turn"), "id") or ""
        request = key(value.get("id"))
        if request is not None:
            return f"{method or 'response'} {request} {text(params, 'threadId')} {turn}"
        at = value.get("emittedAtMs")
        if method not in IDENTIFIED or not isinstance(at, int):
            return None
        item = fields(params, "item")
        return f"{method} {turn} {text(item, 'id') or ''} {text(item, 'type') or ''} {at}"


ADAPTER: Final = CodexAppServer()


def _out(now: Reading, frame: OutFrame) -> None:
    match frame:
        case ThreadKnown(thread, parent):
            if parent is not None:
                turns.spawned(now, parent, (thread,))
        case TurnStarted():
            turns.started(now, frame)
        case Reply():
            turns.replied(now, frame)
        case Answered():
            messages.answered(now, frame)
        case Fallback():
            messages.fell_back(now, frame)
        case TurnEnded():
            results.ended(now, frame)
        case Settled():
            tools.settled(now, frame)
        case Asks():
            _asked(now, frame)
        case ItemMoved() | Piece():
            _within(now, turns.of(now, frame.thread, frame.turn), frame)
        case Progress() | Error() | Steps():
            _within(now, turns.bound(now, frame.thread, frame.turn), frame)
        case Known():
            pass
        case Unknown(what):
            now.see(Noted(turn="", what=what))
        case other:
            assert_never(other)


def _asked(now: Reading, frame: Asks) -> None:
    """A request to the host belongs to the turn it names, or to the one its thread is at."""
    if frame.turn is not None:
        turn = turns.of(now, frame.thread, frame.turn)
    else:
        turn = turns.running(now, frame.thread, None)
    if turn is None:
        now.see(Noted(turn="", what="request outside a turn"))
    else:
        tools.asked(now, turn, frame)


def _within(
    now: Reading, turn: Turn | None, frame: ItemMoved | Piece | Progress | Error | Steps
) -> None:
    match frame:
        case _ if turn is None:
            pass
        case ItemMoved(done=done, item=item):
            _item(now, turn, item, done)
        case Piece():
            messages.piece(now, turn, frame)
        case Progress():
            tools.progressed(now, turn, frame)
        case Error():
            messages.failed(now, turn, frame)
        case Steps():
            tools.planned(now, turn, frame)
        case other:
            assert_never(other)


def _item(now: Reading, turn: Turn, item: AnyItem, done: bool) -> None:
    match item:
        case Message():
            messages.said(now, turn, item) if done else messages.begun(now, turn, item)
        case Thinking(name):
            if done:
                messages.thought(now, turn, name)
        case Tool():
            tools.moved(now, turn, item, done)
        case Child():
            if not done:
                tools.child(now, turn, item)
        case Compaction():
            now.change(turn, compacted=True)
        case Prompt():
            now.change(turn, acted=True)
        case Proposal(text=proposed):
            if done:
                tools.proposed(now, turn, proposed)
        case Review(text=found):
            if done:
                messages.reviewed(now, turn, found)
        case Other():
            pass
        case other:
            assert_never(other)


def _in(now: Reading, frame: InFrame) -> None:
    match frame:
        case Start():
            turns.asked(now, frame)
        case Steer():
            turns.steered(now, frame)
        case Interrupt():
            turns.interrupted(now, frame)
        case Answer():
            tools.answered(now, frame)
        case Known():
            pass
        case Unknown(what):
            now.see(Noted(turn="", what=what))
        case other:
            assert_never(other)
