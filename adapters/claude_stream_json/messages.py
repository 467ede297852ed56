"""What the model and the runtime said in a turn: attempts, blocks, stop reasons, cuts and errors.

Text is read from completed blocks alone; deltas are ignored. A message whose end was due and
never explained was cut: the runtime either says so (``abandoned_blocks``) or simply asks again.
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from turnreel.lifecycle.events import Code
from turnreel.lifecycle.observations import (
    AttemptAbandoned,
    AttemptStarted,
    Kept,
    Retracted,
    Said,
    StopKind,
    Stopped,
    Thought,
    Troubled,
    Voided,
)
from turnreel.lifecycle.tables import LIMITS

from . import tools, turns
from .codes import code_of, code_of_retry
from .frames import (
    Assistant,
    Block,
    Called,
    Compacted,
    Delta,
    FellBack,
    Halted,
    Hidden,
    NoFallback,
    Retry,
    Returned,
    Started,
    Stop,
    Text,
    User,
)
from .literals import meaning
from .state import Message, Reading, Turn


def started(now: Reading, frame: Started) -> None:
    """``message_start``: the provider answers a request of the turn."""
    turn = turns.current(now, frame.parent)
    if turn is not None:
        turn = turns.joined(now, turn, frame.messages)
        _attempt(now, turn, Message(frame.message, streamed=True))


def said(now: Reading, frame: Assistant) -> None:
    """``assistant``: completed blocks, or the runtime's own words where an answer stands."""
    turn = turns.current(now, frame.parent)
    if turn is None:
        return
    turn = turns.joined(now, turn, frame.messages)
    if frame.runtime:
        _told_by_runtime(now, turn, frame)
        return
    if turn.message is None or turn.message.id != frame.message:
        turn = _attempt(now, turn, Message(frame.message, streamed=False))
    message = turn.message
    assert message is not None  # an attempt has its message
    _retract(now, turn, frame.supersedes)
    if frame.aborted:  # its text is not complete (C1), its tools did not run
        message = replace(message, blocks=message.blocks + len(frame.blocks))
        now.change(turn, message=message, aborting=True)
        return
    for block in frame.blocks:
        message = _block(now, turn, message, block)
    by_uuid = turn.by_uuid
    if frame.uuid is not None and message.visible:
        by_uuid = by_uuid.put(frame.uuid, message.id)
    turn = now.change(turn, message=message, by_uuid=by_uuid)
    if frame.stop is not None:
        _stopped(now, turn, message, frame.stop)


def delta(now: Reading, frame: Delta) -> None:
    """``message_delta``: the message's own stop reason; without one it was cut or aborted."""
    turn = turns.current(now, frame.parent)
    message = _spoken_of(turn, frame.message)
    if turn is None or message is None:
        return
    if frame.stop is not None:
        _stopped(now, turn, message, frame.stop)
    elif message.end == "due":
        now.change(turn, message=replace(message, end="unexplained"))


def stopped(now: Reading, frame: Stop) -> None:
    """``message_stop``: with ``abandoned_blocks`` the rest of the message is void (R8).

    That is trouble (O2), unless the host is cancelling or the runtime gave a null stop reason
    first, which it does when it is interrupted.
    """
    turn = turns.current(now, frame.parent)
    message = _spoken_of(turn, frame.message)
    if turn is None or message is None:
        return
    if frame.abandoned is not None:
        now.see(
            AttemptAbandoned(turn=turn.key, message=frame.abandoned, from_block=frame.from_block)
        )
        if not turn.aborting and message.end != "unexplained":
            now.see(Troubled(turn=turn.key, code="provider_unavailable", message=frame.abandoned))
        now.change(turn, message=replace(message, end="abandoned"))
    elif message.end == "due":
        end = "closed" if message.stop is not None else "unexplained"
        now.change(turn, message=replace(message, end=end))


def retried(now: Reading, frame: Retry) -> None:
    """The runtime says that it will ask again (O3), or that a child agent will."""
    turn = turns.current(now, frame.child)
    if turn is None:
        return
    _give_up(now, turn)
    code = code_of_retry(frame.words)
    now.see(
        Troubled(
            turn=turn.key, code=code, attempt=frame.attempt, will_retry=True, bound=frame.bound
        )
    )


def fell_back(now: Reading, frame: FellBack) -> None:
    """Another model goes on: the run ends on another one than it began on (O2)."""
    turn = turns.current(now, None)
    if turn is not None:
        _retract(now, turn, frame.retracted)
        code: Code = "refused" if frame.refused else "provider_unavailable"
        now.see(Troubled(turn=turn.key, code=code, lasting=True))


def own_up(now: Reading, turn: Turn) -> Turn:
    """An error that was not the end is trouble; a limit or a refusal is none (O2)."""
    if turn.failure is None:
        return turn
    if turn.failure not in LIMITS:
        now.see(Troubled(turn=turn.key, code=turn.failure))
    return now.change(turn, failure=None)


def marked(now: Reading, frame: NoFallback | Halted | Compacted) -> None:
    """The runtime says what becomes of the turn, without ending it."""
    turn = turns.current(now, None)
    match frame:
        case _ if turn is None:
            pass
        case NoFallback():
            now.change(turn, refused=True)
        case Halted():
            now.change(turn, halted=True)
        case Compacted():
            now.change(turn, runtime=True)


def asked(now: Reading, frame: User) -> None:
    """The runtime spoke to the model: it voids a refused message, goes on with a kept one, or
    asks an empty answer again.
    """
    turn = turns.current(now, frame.parent)
    if turn is None:
        return
    message = turn.message
    if frame.refused is not None:
        now.see(Voided(turn=turn.key, message=frame.refused))
        return
    if message is None:
        return
    cut = message.end == "abandoned"
    if message.visible and (cut or message.stop == "limited"):
        now.see(Kept(turn=turn.key, message=message.id))
    empty = message.stop == "ends" and not (message.visible or message.acted)
    match meaning(frame.text) if message.stop is None and not message.streamed else None:
        case "cut answer":
            now.see(Troubled(turn=turn.key, code="provider_unavailable", message=message.id))
        case "empty answer":
            empty = True
        case None:
            pass
        case other:
            assert_never(other)
    if empty:
        now.see(Troubled(turn=turn.key, code="unknown", message=message.id))


def _attempt(now: Reading, turn: Turn, message: Message) -> Turn:
    turn = own_up(now, _give_up(now, turn))
    turns.asked_again(now, turn)
    now.see(AttemptStarted(turn=turn.key, message=message.id))
    known = turn.messages.put(message.id, True)
    return now.change(turn, message=message, messages=known, refused=False)


def _give_up(now: Reading, turn: Turn) -> Turn:
    """Without a mark of the runtime: a message whose end is due and never came was cut."""
    message = turn.message
    if message is None or not message.streamed or message.stop is not None:
        return turn
    if message.end in ("abandoned", "closed"):
        return turn
    now.see(AttemptAbandoned(turn=turn.key, message=message.id))
    if turn.failure is None and not turn.aborting:
        now.see(Troubled(turn=turn.key, code="provider_unavailable", message=message.id))
    return now.change(turn, message=replace(message, end="abandoned"))


def _told_by_runtime(now: Reading, turn: Turn, frame: Assistant) -> None:
    """The runtime's own words where an answer stands: never text (C5). An error is remembered:
    it is the cause if the turn ends with it, and trouble if the turn goes on (T8).
    """
    if frame.failure is None:
        now.change(turn, runtime=True)
    elif frame.stop == "refused":
        now.change(turn, refused=True, failure="refused")
    else:
        now.change(turn, failure=code_of(frame.failure) or "unknown")


def _block(now: Reading, turn: Turn, message: Message, block: Block) -> Message:
    """A completed block; gives the message with it counted."""
    match block:
        case Text(text):
            now.see(Said(turn=turn.key, message=message.id, block=message.blocks, text=text))
            message = replace(message, visible=message.visible or bool(text.strip()))
        case Hidden():
            now.see(Thought(turn=turn.key, message=message.id))
        case Called():
            tools.called(now, turn, message.id, block)
            message = replace(message, acted=True)
        case Returned():
            tools.returned(now, turn, block)
        case other:
            assert_never(other)
    return replace(message, blocks=message.blocks + 1)


def _stopped(now: Reading, turn: Turn, message: Message, stop: StopKind) -> None:
    now.see(Stopped(turn=turn.key, message=message.id, reason=stop))
    now.change(turn, message=replace(message, stop=stop))


def _retract(now: Reading, turn: Turn, uuids: tuple[str, ...]) -> None:
    for message in dict.fromkeys(turn.by_uuid.get(uuid) for uuid in uuids):
        if message is not None:
            now.see(Retracted(turn=turn.key, message=message))


def _spoken_of(turn: Turn | None, message: str | None) -> Message | None:
    """The turn's present message if a stream event speaks of it; a late event does not."""
    present = turn.message if turn is not None else None
    return present if present is not None and message in (None, present.id) else None
