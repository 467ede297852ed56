"""The message machine: which text is commentary, which may become the answer, which is void.

Moves stand in `tables.MESSAGE`. Text that is not classified yet is ``pending`` and invisible;
what readers see of one is told in `published`, what a retry says again is found in `resaying`
(C7).
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from . import published, resaying, standing
from .observations import AttemptAbandoned, AttemptStarted, Role, Said, Saying, StopKind, Stopped
from .standing import put
from .state import MessageState
from .step import Step
from .tables import COUPLING, MESSAGE, Coupled, MessageCause

ELIGIBLE: Final[frozenset[Role]] = frozenset({"unclear", "answer"})
"""Roles of a text that may be the answer, and that therefore replaces an earlier candidate (C1)."""

VOIDING: Final[frozenset[MessageCause]] = frozenset({"superseded", "cut_off", "called"})
"""Causes that tell a message unless it is void (C1)."""

REPLACED: Final[dict[StopKind | None, Coupled]] = {
    "limited": "later message said after a limit",
    "refused": "later message said after a refusal",
}
"""What a later message first is for one with this stop reason (C1, C6)."""


def attempt_started(step: Step, seen: AttemptStarted) -> None:
    """A request began to answer. The same message again is a new attempt only if it was given
    up.
    """
    if seen.message == step.run.attempt_message:
        return
    step.set(attempt=step.run.attempt + 1, attempt_message=seen.message)
    if step.run.given_up:
        again = dict.fromkeys(message.native for message in standing.sayable_again(step.run))
        step.set(given_up=tuple(again))


def attempt_abandoned(step: Step, seen: AttemptAbandoned) -> None:
    """Void what was not published from `from_block` on; the rest may be said again (R8, C7)."""
    for message in standing.of_native(step.run, seen.message):
        if message.phase == "told" or message.published:
            put(step, message, replace(message, abandoned=True, resay=step.run.attempt + 1))
            step.set(given_up=(*step.run.given_up, seen.message))
            continue
        blocks = tuple(block for block in message.blocks if block[0] < seen.from_block)
        again = step.run.attempt + 1 if blocks else 0
        kept = put(step, message, replace(message, blocks=blocks, abandoned=True, resay=again))
        if blocks:
            step.set(given_up=(*step.run.given_up, seen.message))
        else:
            move(step, kept, "emptied")
    step.set(attempt_message=None)


def saying(step: Step, seen: Saying) -> None:
    """A piece of a block: shown at once if it is commentary by native evidence, else buffered. As
    long as it may be a message of the given-up attempt said again, it waits (C7).
    """
    message = standing.open_series(step.run, seen.message)
    if message is None or message.abandoned:
        message = resaying.resumed(step, seen) or _begin(step, seen.message, seen.role)
    text = dict(message.blocks).get(seen.block, "") + seen.delta
    message = put(
        step,
        message,
        replace(message, blocks=resaying.with_block(message, seen.block, text), complete=False),
    )
    told = seen.role == "commentary" or _called(step, message)
    if message.phase == "pending" and told and not resaying.echoes(step, message):
        message = move(step, message, "shown")
    if message.phase == "showing":
        published.show(step, message)


def said(step: Step, seen: Said) -> None:
    """A block is complete. It may correct a block, continue a series, re-say a message of a
    given-up attempt, or begin a message; then it replaces an earlier candidate.
    """
    known = standing.holding(step.run, seen.message, seen.block)
    if not seen.text.strip() and known is None:
        return
    streamed = known is not None and known.phase in ("pending", "showing") and not known.complete
    if streamed and resaying.resaid(step, seen, known):
        return
    if known is not None and _knows(known, seen):
        step.drop("block said before")
        return
    if (message := known) is not None:
        message = resaying.correct(step, resaying.unbroken(step, message), seen)
    elif (message := standing.open_series(step.run, seen.message)) is None:
        if resaying.resaid(step, seen):
            return
        message = _begin(step, seen.message, seen.role)
        message = put(step, message, replace(message, blocks=((seen.block, seen.text),)))
    else:
        blocks = resaying.with_block(message, seen.block, seen.text)
        message = put(step, message, replace(message, blocks=blocks, complete=True))
    if seen.role in ELIGIBLE:
        _supersede(step, seen.message, seen.role)
    if message.phase == "pending" and (message.role == "commentary" or _called(step, message)):
        message = move(step, message, "shown")
    if message.phase == "showing":
        message = published.show(step, message)
        if seen.closes:
            move(step, message, "finished")


def stopped(step: Step, seen: Stopped) -> None:
    """A message's own stop reason: a tool call in it makes it commentary at once (C1)."""
    for message in standing.of_native(step.run, seen.message):
        message = put(step, message, replace(message, stop=seen.reason))
        if seen.reason == "continues" and message.phase != "showing":  # which is commentary anyway
            move(step, message, "called")


def completed(step: Step, native: str, text: str) -> None:
    """All text of native message `native` is known, from elsewhere than its stream (O5): it is the
    latest candidate, and complete.
    """
    message = standing.open_series(step.run, native) or _begin(step, native, "unclear")
    put(step, message, replace(message, blocks=((0, text),), complete=True))
    _supersede(step, native, message.role)


def move_native(step: Step, native: str, cause: MessageCause) -> None:
    """Move every message made of native message `native`."""
    found = False
    for message in standing.of_native(step.run, native):
        found = True
        move(step, message, cause)
    if not found:
        step.drop(f"message {cause} unknown")


def happen(step: Step, message: MessageState, happening: Coupled) -> MessageState:
    """The message after what the coupling table says that `happening` is for messages."""
    cause = COUPLING[happening].message
    return message if cause is None else move(step, message, cause)


def happen_to_all(step: Step, happening: Coupled) -> None:
    """Move every message, in order, as the coupling table says."""
    if COUPLING[happening].message is not None:
        for message in step.run.messages:
            happen(step, message, happening)


def move(step: Step, message: MessageState, cause: MessageCause) -> MessageState:
    """The message after `cause`; unchanged if the machine has no such move."""
    phase = MESSAGE.get((message.phase, cause))
    if phase is None:
        return message
    if phase == "void" or (cause in VOIDING and _is_void(message, cause)):
        return published.void(step, message, cause)
    if phase == "told":
        return published.tell(step, message)
    return put(step, message, replace(message, phase=phase))


def chain(step: Step, named: str | None = None) -> tuple[MessageState, ...]:
    """The messages that together are the answer by the message evidence alone: kept segments and
    one candidate, by an explicit answer mark, else the native message `named` by the terminal,
    else the last (C2, C6). Empty if there is none.
    """
    open_ones = [
        m
        for m in step.run.messages
        if m.phase in ("pending", "segment") and m.complete and m.text and m.role in ELIGIBLE
    ]
    if not open_ones or open_ones[-1].stop in ("paused", "continues"):
        return ()
    marked = [m for m in open_ones if m.role == "answer" and m.phase == "pending"]
    pointed = [m for m in open_ones if m.native == named and m.phase == "pending"]
    last = (marked or pointed or open_ones)[-1]
    segments = [m for m in open_ones if m.phase == "segment" and m is not last]
    return (*segments, last)


def _is_void(message: MessageState, cause: MessageCause) -> bool:
    """C1, C7: what was given up unfinished, a marked answer of a broken attempt, and text no
    block of which was ever completed are void when they are replaced or cut off; what was given
    up unfinished also when an activity starts after it.
    """
    if message.phase == "showing":
        return message.abandoned and not message.complete
    return message.abandoned and message.role == "answer" and cause != "called"


def _supersede(step: Step, native: str, role: Role) -> None:
    """A later candidate replaces the earlier ones, but one without a mark none that is marked as
    answer (C2), unless its attempt broke.
    """
    for message in step.run.messages:
        if message.native == native or message.role == "partial_answer":
            continue
        if message.role == "answer" and role != "answer" and not message.abandoned:
            continue
        if message.stop in REPLACED:
            message = happen(step, message, REPLACED[message.stop])
        happen(step, message, "later message said")


def _begin(step: Step, native: str, role: Role) -> MessageState:
    return standing.add(step, MessageState(native=native, phase="pending", role=role))


def _knows(message: MessageState, seen: Said) -> bool:
    """Whether a block is a message's as it stands: told again it changes nothing, least of all for
    the messages that came after it (R2).
    """
    stands = message.complete and not message.abandoned and message.phase != "showing"
    return stands and (seen.block, seen.text) in message.blocks


def _called(step: Step, message: MessageState) -> bool:
    """C1: a tool call stands in the same native message."""
    return step.run.tooled == message.native
