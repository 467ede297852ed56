"""What the model said in a turn: responses of the provider, texts, retries (C1, C7, R8).

A response begins with its first item and ends with its token usage; a retry gives it up, and with
it every text that was said in it: what it finished may still be replaced or said again, what it
had not finished is void. Deltas are read of texts that are commentary by their phase; any other
text is read whole when it is complete.
"""

from __future__ import annotations

from turnreel.lifecycle.events import Code
from turnreel.lifecycle.observations import (
    Asked,
    AttemptAbandoned,
    AttemptStarted,
    Retracted,
    Said,
    Saying,
    Thought,
    Troubled,
)

from . import turns
from .codes import code_of
from .frames import Answered, Error, Fallback, Message, Piece
from .state import Reading, Spoken, Turn


def begun(now: Reading, turn: Turn, message: Message) -> None:
    """``item/started`` of a text: its phase is known from here on."""
    turn = answers(now, turn)
    if message.asks or any(s.id == message.id and not s.done for s in turn.spoken):
        return
    turn = _skipped(now, turn)
    now.change(turn, spoken=(*_without(turn, message.id), Spoken(message.id, message.role)))


def piece(now: Reading, turn: Turn, frame: Piece) -> None:
    """A delta: shown at once where the text is known to be commentary."""
    for spoken in turn.spoken:
        if spoken.id == frame.item and spoken.role == "commentary" and not spoken.done:
            now.see(
                Saying(
                    turn=turn.key,
                    message=frame.item,
                    block=0,
                    delta=frame.text,
                    role="commentary",
                )
            )


def said(now: Reading, turn: Turn, message: Message) -> None:
    """``item/completed`` of a text."""
    turn = answers(now, turn)
    if message.asks:
        now.see(
            Asked(
                turn=turn.key,
                request=message.id,
                kind="question",
                prompt=message.asks,
                options=message.options,
                blocking=False,
            )
        )
        return
    done = Spoken(message.id, message.role, done=True)
    review = turn.review if message.role == "commentary" else ""
    now.change(turn, spoken=(*_without(turn, message.id), done), acted=True, review=review)
    now.see(
        Said(
            turn=turn.key,
            message=message.id,
            block=0,
            text=message.text,
            role=message.role,
            closes=True,
        )
    )


def reviewed(now: Reading, turn: Turn, found: str) -> None:
    """A review is over. What it found is the answer unless a message comes after it (C2)."""
    now.change(answers(now, turn), acted=True, review=found)


def thought(now: Reading, turn: Turn, item: str) -> None:
    """``item/completed`` of hidden reasoning (C4)."""
    answers(now, turn)
    now.see(Thought(turn=turn.key, message=item))


def answers(now: Reading, turn: Turn) -> Turn:
    """An item of the provider's response: the first one begins it."""
    if turn.steered:
        turn = _preempted(now, turn)
    if turn.answering:
        return turn
    attempt = turn.attempt + 1
    now.see(AttemptStarted(turn=turn.key, message=f"{turn.key}/{attempt}"))
    return now.change(turn, answering=True, attempt=attempt, retries=0)


def answered(now: Reading, frame: Answered) -> None:
    """The response was complete: nothing of it will be given up."""
    turn = now.named(frame.turn)
    if turn is not None and (turn.answering or turn.spoken):
        now.change(turn, answering=False, spoken=())


def failed(now: Reading, turn: Turn, frame: Error) -> None:
    """``error``: with a retry it is trouble and gives the response up (O3, R8); without one it is
    the cause, if the turn ends with it.
    """
    code = code_of(frame.words) or "unknown"
    if not frame.retries:
        now.change(turn, failure=code)
        return
    _give_up(now, turn, turn.spoken)
    retries = turn.retries + 1
    now.change(turn, spoken=(), answering=False, retries=retries, failure=None)
    now.see(Troubled(turn=turn.key, code=code, attempt=retries, will_retry=True))


def fell_back(now: Reading, frame: Fallback) -> None:
    """The run goes on over another transport or with another model than it began with (O2)."""
    turn = turns.running(now, frame.thread, frame.turn)
    if turn is not None:
        code: Code = "policy" if frame.by_policy else "provider_unavailable"
        now.see(Troubled(turn=turn.key, code=code, lasting=True))


def _give_up(now: Reading, turn: Turn, spoken: tuple[Spoken, ...]) -> None:
    for one in spoken:
        kept = 1 if one.done else 0
        now.see(AttemptAbandoned(turn=turn.key, message=one.id, from_block=kept))


def _skipped(now: Reading, turn: Turn) -> Turn:
    """Texts of a response come one after the other: one still unfinished when the next begins was
    given up by a retry that no frame tells of.
    """
    lost = tuple(s for s in turn.spoken if not s.done)
    if not lost:
        return turn
    _give_up(now, turn, turn.spoken)
    return answers(now, now.change(turn, spoken=(), answering=False))


def _preempted(now: Reading, turn: Turn) -> Turn:
    """A message of the host cut the response short: what it had not finished is taken back."""
    for one in turn.spoken:
        if not one.done and one.role == "commentary":
            now.see(Retracted(turn=turn.key, message=one.id))
    return now.change(turn, steered=False, answering=False, spoken=())


def _without(turn: Turn, item: str) -> tuple[Spoken, ...]:
    return tuple(s for s in turn.spoken if s.id != item)
