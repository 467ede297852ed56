"""Faults that end a stream, and the cancels and reconnects before its end. Pure.

Rules of this file
- The earliest ending ends everything behind it; the later ones do not happen.
- What the other side is to do (hold, rejoin) stands where it was told to, if the ending has not
  come before.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from .editing import Steps
from .faults import Fault
from .faults.process import Exit, Kill, PartialLine
from .faults.session import Cancel, Reconnect
from .faults.transport import Close, Cut, HalfClose, Hang, Truncate
from .placing import Misfit, Spot, counted
from .shaping import split
from .steps import Break, Hold, How, Linger, Quit, Rejoin, Send
from .steps import Close as Closed

Ending = Cut | Truncate | Hang | HalfClose | Close | Exit | Kill | PartialLine
Meeting = Cancel | Reconnect


class Due(msgspec.Struct, frozen=True):
    """A fault of the plan with its moment."""

    index: int
    fault: Fault
    spot: Spot


def ended(steps: Steps, dues: Sequence[Due]) -> Steps:
    """The steps with the earliest of the endings among `dues`, and the meetings before it."""
    endings = [due for due in dues if isinstance(due.fault, Ending)]
    limit = min((due.spot.offset for due in endings), default=None)
    if endings:
        first = min(endings, key=lambda due: (due.spot.offset, due.spot.at_us, due.index))
        before, at_us, rest = split(steps, first.spot)
        assert isinstance(first.fault, Ending), "only endings are among them"
        steps = [*before, *_last(first.fault, first.index, at_us, rest)]
    for due in dues:
        if isinstance(due.fault, Meeting) and (limit is None or due.spot.offset <= limit):
            before, at_us, rest = split(steps, due.spot)
            steps = [*before, _meeting(due.fault, at_us, due.index), *rest]
    return steps


def inside(steps: Steps, number: int) -> Spot:
    """The middle of event `number`, between two characters. Raises Misfit."""
    for start, send in _from(steps, number):
        at = max(1, len(send.data) // 2)
        while at > 1 and send.data[at] & 0xC0 == 0x80:
            at -= 1
        if at < len(send.data):
            return Spot(start + at)
        break
    raise Misfit(f"has no middle in event {number}")


def in_character(steps: Steps, number: int) -> Spot:
    """Inside the first character of several bytes from event `number` on. Raises Misfit."""
    for start, send in _from(steps, number):
        for at, byte in enumerate(send.data):
            if byte >= 0xC0:
                return Spot(start + at + 1)
    raise Misfit(f"has no character of several bytes from event {number} on")


def _from(steps: Steps, number: int) -> list[tuple[int, Send]]:
    """The sends from event `number` on, each with the bytes before it."""
    found: list[tuple[int, Send]] = []
    offset = 0
    for step in steps:
        if counted(step):
            if found or number in step.completes:
                found.append((offset, step))
            offset += len(step.data)
    return found


def _meeting(fault: Meeting, at_us: int, index: int) -> Hold | Rejoin:
    match fault:
        case Cancel(then=then):
            return Hold(at_us, then, (index,))
        case Reconnect(since=since):
            return Rejoin(at_us, since, (index,))


def _last(fault: Ending, index: int, at_us: int, rest: Steps) -> Steps:
    """The steps with which a stream ends at `at_us`, of which `rest` never came."""
    mark = (index,)
    match fault:
        case Cut(how=how) | Truncate(how=how):
            return _cut(how, at_us, mark, rest)
        case HalfClose():
            return [Break(at_us, "half", mark)]
        case Hang():
            return [Linger(at_us, mark)]
        case Close(code=code):
            return [Closed(at_us, code, mark)]
        case Exit(code=code) | PartialLine(code=code):
            return [Quit(at_us, code, None, mark)]
        case Kill():
            return [Quit(at_us, None, "SIGKILL", mark)]


def _cut(how: How, at_us: int, mark: tuple[int, ...], rest: Steps) -> Steps:
    never = next((len(step.data) for step in rest if counted(step)), 1)
    owed = max(1, never) if how == "chunk" else 0
    # An agent that lost its stdout still ends as it was recorded, only at once.
    quits = [Quit(at_us, step.code, step.signal) for step in rest if isinstance(step, Quit)]
    return [Break(at_us, how, mark, owed), *quits]
