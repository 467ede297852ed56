"""How a turn ended: the ``result`` frame, and the completion record of a child agent (C2, T3).

The table is read from the top: an interruption, a deferred tool, an error of any subtype, the
runtime's own answer, and only then an answer of the model.
"""

from __future__ import annotations

from typing import Final

from turnreel.lifecycle.events import Code
from turnreel.lifecycle.observations import Ended, Named, Noted, Refused, Stopped

from . import messages, turns
from .codes import REASONS, SUBTYPES, code_of
from .frames import Result, TaskEnded
from .state import Reading, Turn

INTERRUPTED: Final = frozenset({"aborted_streaming", "aborted_tools"})
DEFERRED: Final = "tool_deferred"
HALTED_AFTER: Final = "stop_hook_prevented"
"""A hook stopped the turn after the model had ended its answer: the answer stands (C2)."""


def ended(now: Reading, frame: Result) -> None:
    """A ``result`` ends the turn it belongs to; one of no open turn moves nothing (T2)."""
    turn = turns.ends(now, frame)
    if turn is None:
        now.see(Noted(turn="", what="late or foreign result"))
        return
    turn = turns.joined(now, turn, frame.messages)
    _tell(now, turn, frame)
    turns.close(now, turn)


def child_ended(now: Reading, frame: TaskEnded) -> None:
    """A child agent's completion record: final with the summary it carries (C5)."""
    child = turns.task_ended(now, frame)
    if child is None:
        return
    match frame.status:
        case "completed":
            now.see(
                Named(turn=child.key, text=frame.summary, extent="whole", alone=True),
                Ended(turn=child.key, ending="completed", confidence="runtime"),
            )
        case status if status in turns.STOPPED:
            now.see(Ended(turn=child.key, ending="interrupted"))
        case _:
            now.see(Ended(turn=child.key, ending="failed", code=child.failure))
    turns.close(now, child)


def _tell(now: Reading, turn: Turn, frame: Result) -> None:
    reason = frame.words.reason
    if reason in INTERRUPTED:
        messages.own_up(now, turn)
        now.see(Ended(turn=turn.key, ending="interrupted"))
    elif not frame.failed and (frame.deferred is not None or reason == DEFERRED):
        now.see(Ended(turn=turn.key, ending="asked", deferred=frame.deferred))
    elif frame.failed and not turn.awake and not frame.turns:
        now.see(Refused(turn=turn.key, code=code_of(frame.words)))
    elif frame.failed:
        now.see(Ended(turn=turn.key, ending="failed", code=_cause(turn, frame)))
    elif turn.halted and turn.message is None:
        now.see(Ended(turn=turn.key, ending="failed", code="hook_stopped"))
    elif _answered_by_runtime(turn, frame):
        now.see(
            Named(turn=turn.key, text=frame.text or "", extent="whole", alone=True),
            Ended(turn=turn.key, ending="completed", confidence="runtime"),
        )
    elif reason in REASONS and not (reason == HALTED_AFTER and frame.text):
        now.see(Ended(turn=turn.key, ending="failed", code=REASONS[reason]))
    else:
        _answered(now, turn, frame)


def _cause(turn: Turn, frame: Result) -> Code | None:
    """The typed cause: why the runtime stopped, a refusal, its last error, the result's words."""
    words = frame.words
    limit = REASONS.get(words.reason or "") or SUBTYPES.get(words.subtype or "")
    if limit is not None:
        return limit
    if turn.refused or (turn.message is not None and turn.message.stop == "refused"):
        return "refused"
    if turn.failure not in (None, "unknown"):
        return turn.failure
    return code_of(words)


def _answered_by_runtime(turn: Turn, frame: Result) -> bool:
    """A command that the runtime answers itself (C5): the result says so, or, in versions that
    do not, the runtime spoke and the model did not.
    """
    return frame.local or (turn.runtime and turn.message is None and frame.words.reason is None)


def _answered(now: Reading, turn: Turn, frame: Result) -> None:
    """A native success: names the text. The ``result`` field repeats the last block only;
    structured output, and the result of an output format without messages, stand alone.
    """
    message = turn.message
    if frame.structured is not None:
        now.see(Named(turn=turn.key, text=frame.structured, extent="whole", alone=True))
    elif not turn.awake:
        now.see(Named(turn=turn.key, text=frame.text or "", extent="whole", alone=True))
    elif frame.text:
        if message is not None and message.stop is None and frame.stop is not None:
            now.see(Stopped(turn=turn.key, message=message.id, reason=frame.stop))
        now.see(Named(turn=turn.key, text=frame.text, extent="tail"))
    now.see(Ended(turn=turn.key, ending="completed"))
