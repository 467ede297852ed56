"""Where a run's messages stand: what may still become something in a tuple, in order; what was told
on a shelf by its native id. Messages are told apart by identity, so whoever changes one goes on
with the value that `put` returns.
"""

from __future__ import annotations

from .state import MessageState, RunState
from .step import Step


def of_native(run: RunState, native: str) -> tuple[MessageState, ...]:
    """The messages made of one native message, in order."""
    told = run.told.get(native) or ()
    return (*told, *(m for m in run.messages if m.native == native))


def holding(run: RunState, native: str, block: int) -> MessageState | None:
    """The message that already has this block."""
    for message in reversed(of_native(run, native)):
        if any(known == block for known, _ in message.blocks):
            return message
    return None


def open_series(run: RunState, native: str) -> MessageState | None:
    """The message of `native` that further blocks belong to: no activity stands in between (C6)."""
    for message in reversed(run.messages):
        if message.native == native:
            return message
    return None


def sayable_again(run: RunState) -> list[MessageState]:
    """The messages that the present attempt may say again, in the order readers met them (C7)."""
    known = [m for native in run.given_up for m in of_native(run, native)]
    return sorted((m for m in known if m.resay == run.attempt), key=lambda m: m.number)


def add(step: Step, message: MessageState) -> MessageState:
    """A new message, open."""
    step.set(messages=(*step.run.messages, message))
    return message


def put(step: Step, old: MessageState, new: MessageState) -> MessageState:
    """`new` in the place of `old`; once told it stands on the shelf."""
    if new.phase != "told":
        step.set(messages=tuple(new if m is old else m for m in step.run.messages))
        return new
    siblings = step.run.told.get(new.native) or ()
    if any(m is old for m in siblings):
        siblings = tuple(new if m is old else m for m in siblings)
    else:
        remove(step, old)
        siblings = (*siblings, new)
    step.set(told=step.run.told.put(new.native, siblings))
    return new


def remove(step: Step, message: MessageState) -> None:
    """Take a message away from wherever it stands."""
    if message.phase != "told":
        step.set(messages=tuple(m for m in step.run.messages if m is not message))
        return
    siblings = tuple(m for m in step.run.told.get(message.native) or () if m is not message)
    told = step.run.told
    step.set(told=told.put(message.native, siblings) if siblings else told.take(message.native))
