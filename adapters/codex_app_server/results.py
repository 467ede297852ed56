"""How a turn ended: ``turn/completed``, the only terminal of the app-server (C2, T3).

Its summary of items is a pointer, not a text of its own: it names the last message that Codex
itself would answer with. Where that is a question delivered beside the turn, the turn ended by
asking (T5).
"""

from __future__ import annotations

from turnreel.adapters.codex_items import STATES
from turnreel.lifecycle.observations import Ended, Named, Noted, ToolMoved

from . import turns
from .codes import code_of
from .frames import TurnEnded
from .state import Reading, Turn


def ended(now: Reading, frame: TurnEnded) -> None:
    """``turn/completed`` ends the turn it names; one that is over or unknown moves nothing."""
    turn = turns.bound(now, frame.thread, frame.turn)
    if turn is None:
        return
    match frame.status:
        case "completed":
            _completed(now, turn, frame)
        case "interrupted":
            _interrupted(now, turn)
        case "failed":
            code = (code_of(frame.words) if frame.words is not None else None) or turn.failure
            now.see(Ended(turn=turn.key, ending="failed", code=code))
        case status:
            now.see(Noted(turn=turn.key, what=f"turn status {status}"[:80]))
            return
    if turn.parent is not None and (state := STATES.get(frame.status)) is not None:
        now.see(ToolMoved(turn=turn.parent, activity=turn.thread, state=state))
    turns.close(now, turn)


def _completed(now: Reading, turn: Turn, frame: TurnEnded) -> None:
    named = frame.named
    if named is not None and named.asks:
        now.see(Ended(turn=turn.key, ending="asked", request=named.id))
        return
    if named is not None and named.role != "commentary":
        now.see(Named(turn=turn.key, text=named.text, extent="whole", message=named.id))
    elif turn.review.strip():
        now.see(Named(turn=turn.key, text=turn.review, extent="whole", alone=True))
    runtime = turn.compacted and not turn.acted
    now.see(Ended(turn=turn.key, ending="completed", confidence="runtime" if runtime else None))


def _interrupted(now: Reading, turn: Turn) -> None:
    """T7: an interruption that nobody asked for is a failure. Where the host's side is not
    recorded, the host is taken to have asked.
    """
    if turn.aborting or not now.state.hosted:
        now.see(Ended(turn=turn.key, ending="interrupted"))
    else:
        now.see(Ended(turn=turn.key, ending="failed", code="incomplete"))
