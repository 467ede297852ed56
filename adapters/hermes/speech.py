"""What the model said in a turn of Hermes (C1, C2, C6, C7).

The surfaces stream commentary and answer as one text without boundaries of their own. What shows
that a message is over is the same everywhere: a tool starts, or the end-of-call marker comes where
a surface has one. Text is told when that is seen, and live only where the surface says before that
a tool call follows. Messages are numbered within their turn.
"""

from __future__ import annotations

from turnreel.lifecycle.events import Confidence
from turnreel.lifecycle.observations import (
    AttemptAbandoned,
    AttemptStarted,
    Ended,
    Named,
    Said,
    Saying,
    Troubled,
)

from . import literals
from .pieces import NONE
from .turns import Reading, awake, fail


def heard(now: Reading, piece: str) -> None:
    """A piece of text. After a message that is over it begins the next one; a runtime's notice in
    it voids what came before (C9).
    """
    awake(now)
    if not piece:
        return
    rest = literals.after_drop(piece)
    if rest is not None:
        _dropped(now)
        heard(now, rest)
        return
    if now.turn.over:
        now.set(pieces=NONE, over=False, live=False)
    if not now.turn.pieces:
        now.set(messages=now.turn.messages + 1, told="")
        now.see(AttemptStarted(turn=now.key, message=now.turn.message))
    now.set(pieces=now.turn.pieces.plus(piece))
    if now.turn.live:
        _show(now, piece)


def complete(now: Reading) -> None:
    """The end-of-call marker: the present message is complete; what it is stays open (C1)."""
    awake(now)
    if now.turn.pieces and not now.turn.over:
        now.see(Said(turn=now.key, message=now.turn.message, block=0, text=now.turn.text))
        now.set(over=True, again=False)


def announced(now: Reading) -> None:
    """A tool call begins inside the present message: it is commentary while it still grows (C1,
    C7). What a broken attempt may re-say is told when it is complete.
    """
    awake(now)
    turn = now.turn
    if turn.pieces and not (turn.live or turn.over or turn.again):
        now.set(live=True)
        _show(now, turn.text)


def commented(now: Reading, text: str) -> None:
    """The runtime says that a whole message was commentary. Said again, it is the same one."""
    awake(now)
    turn = now.turn
    if not turn.pieces:
        if text == turn.told:
            return
        now.set(messages=turn.messages + 1)
        now.see(AttemptStarted(turn=now.key, message=now.turn.message))
    said = Said(
        turn=now.key,
        message=now.turn.message,
        block=0,
        text=text,
        role="commentary",
        closes=True,
    )
    now.see(said)
    now.set(pieces=NONE, over=False, live=False, again=False, told=text)


def finish(now: Reading, named: str | None = None, confidence: Confidence | None = None) -> None:
    """The native success; `named` is the text it names, to be held against the present message
    (C6). A message in which the runtime says that there is none is no answer (C5, C9). Place alone
    tells nothing where a frame is missing: it may have been the tool after which the answer began.
    """
    if confidence == "positional" and now.turn.torn:
        fail(now, "incomplete")
        return
    if literals.is_no_reply(now.turn.text):
        fail(now, literals.code_in(now.turn.text.strip()) or "missing_final")
        return
    complete(now)
    if named is not None:
        now.see(Named(turn=now.key, text=named, extent="whole"))
    now.see(Ended(turn=now.key, ending="completed", confidence=confidence))
    now.ended = True


def finish_alone(now: Reading, named: str) -> None:
    """The native success, with a text that was not streamed and that typed words vouch for."""
    now.see(Named(turn=now.key, text=named, extent="whole", alone=True))
    now.see(Ended(turn=now.key, ending="completed"))
    now.ended = True


def finish_without(now: Reading, told: str, confidence: Confidence | None = None) -> None:
    """The native success without an answer; `told` is what stands in its place. Of a turn in which
    nothing at all was said the run decides whether it needs an answer (C5).
    """
    code = literals.code_in(told)
    if code is None and not told.strip() and not now.turn.text.strip():
        now.see(Ended(turn=now.key, ending="completed", confidence=confidence))
        now.ended = True
    else:
        fail(now, code or "missing_final")


def finish_as_runtime(now: Reading, text: str) -> None:
    """The record that completes a child run: its text is the summary it carries (C5)."""
    now.see(Named(turn=now.key, text=text, extent="whole", alone=True))
    now.see(Ended(turn=now.key, ending="completed", confidence="runtime"))
    now.ended = True


def _show(now: Reading, piece: str) -> None:
    now.see(Saying(turn=now.key, message=now.turn.message, block=0, delta=piece, role="commentary"))


def _dropped(now: Reading) -> None:
    """The connection was dropped in the middle of a tool call: all of the present message is said
    again (C7, O2).
    """
    turn = now.turn
    message = turn.message if turn.pieces else None
    if turn.live and message is not None:
        now.see(AttemptAbandoned(turn=turn.key, message=message))
    now.see(Troubled(turn=turn.key, code="provider_unavailable", message=message, will_retry=True))
    now.set(pieces=NONE, over=False, live=False, again=True)
