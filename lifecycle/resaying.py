"""Saying again: a message of a given-up attempt that a later one repeats is that message, so that
nobody sees a sentence twice because of a retry (C7, R1).

Finished, it is found by its text, or by its native id; unfinished, by its native id or, failing
that, by position: the first message of the new attempt continues the unfinished one. While a text
is being said that may yet turn out to be a finished one, it is not shown.
"""

from __future__ import annotations

from msgspec.structs import replace

from . import published, standing
from .observations import Role, Said, Saying
from .standing import put
from .state import MessageState
from .step import Step


def resaid(step: Step, seen: Said, held: MessageState | None = None) -> bool:
    """C7: a message of the given-up attempt said again is that message, finished or not. `held` is
    what was streamed of it; shown as a message of its own, it is taken back.
    """
    candidates = [m for m in standing.sayable_again(step.run) if _may_be(m, seen.role)]
    for message in candidates:
        same = held is not None and message.native == seen.message
        if message.complete and (same or message.text == seen.text.strip()):
            if held is not None:
                published.void(step, held, "retracted")
            again = replace(message, native=seen.message, abandoned=False, resay=0)
            if message.phase == "pending":
                again = replace(again, role=seen.role)
            correct(step, put(step, message, again), seen)
            step.drop("message said again")
            return True
    if held is not None:
        return False
    for message in candidates:
        if not message.complete:
            published.show(step, correct(step, _restarted(step, message, seen.message), seen))
            return True
    return False


def resumed(step: Step, seen: Saying) -> MessageState | None:
    """The unfinished message of the given-up attempt that this one continues: the one with its
    native id, else the first, by position (C7).
    """
    unfinished = [
        m for m in standing.sayable_again(step.run) if not m.complete and _may_be(m, seen.role)
    ]
    own = [m for m in unfinished if m.native == seen.message]
    found = own or unfinished
    return _restarted(step, found[0], seen.message) if found else None


def _restarted(step: Step, message: MessageState, native: str) -> MessageState:
    """The same message, from its beginning, under a higher revision."""
    again = replace(
        message,
        native=native,
        blocks=(),
        abandoned=False,
        resay=0,
        published="",
        revision=message.revision + 1,
    )
    return put(step, message, again)


def unbroken(step: Step, message: MessageState) -> MessageState:
    """A message that the present attempt says again under its own native id stands."""
    if not message.abandoned or message.resay != step.run.attempt:
        return message
    return put(step, message, replace(message, abandoned=False, resay=0))


def echoes(step: Step, message: MessageState) -> bool:
    """Whether a text being said may turn out to be a finished one of the given-up attempt."""
    return any(
        m.complete and (m.native == message.native or m.text.startswith(message.text))
        for m in standing.sayable_again(step.run)
    )


def _may_be(message: MessageState, role: Role) -> bool:
    """What readers have seen as commentary is not said again by what is marked as answer."""
    return message.phase == "pending" or role not in ("answer", "partial_answer")


def correct(step: Step, message: MessageState, seen: Said) -> MessageState:
    blocks = with_block(message, seen.block, seen.text)
    if blocks == message.blocks and message.complete:
        return message
    message = put(step, message, replace(message, blocks=blocks, complete=True))
    if message.phase == "told":
        return published.tell(step, message)
    return message


def with_block(message: MessageState, block: int, text: str) -> tuple[tuple[int, str], ...]:
    """The blocks of a message with this one said or corrected."""
    return tuple(sorted({**dict(message.blocks), block: text}.items()))
