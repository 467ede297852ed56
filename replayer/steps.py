"""Timed steps: the only language between schedules, which decide, and performers, which act.

Every step has `at_us`, microseconds from the start of the exchange or of the agent, already
paced. A performer executes steps in order, each when it is due and never before; a step that
faults put there or changed carries their indices in the plan, so executing it is their firing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from turnreel.wire.units import Unit

from .faults import Plan, spec_of
from .script import Heard, HeardEnd, Signalled, label_of

Stream = Literal["body", "stdout", "stderr"]
Since = Literal["last", "zero", "unknown"]
How = Literal["clean", "chunk", "reset", "half"]


class Head(msgspec.Struct, frozen=True):
    """A response head. `framing` says how the body is delimited; `length` its bytes, if that is
    how; `connection` what becomes of the connection when the body has ended.
    """

    at_us: int
    status: int
    headers: tuple[tuple[str, str], ...]
    framing: Literal["chunked", "length"]
    length: int = 0
    faults: tuple[int, ...] = ()
    connection: Literal["keep-alive", "close"] = "keep-alive"


class Send(msgspec.Struct, frozen=True):
    """Bytes of the body or of an output stream: those of `unit` from `start` on, if not all.
    `completes` are the numbers of the events whose last byte is among these, 0 for an event that
    was never recorded. `slices` are the lengths to write separately, if there are several; with
    `joined` the last is written together with the first of the next event, when this one is due. A
    part says how long the `whole` is.
    """

    at_us: int
    data: bytes
    unit: Unit
    stream: Stream = "body"
    completes: tuple[int, ...] = ()
    slices: tuple[int, ...] = ()
    faults: tuple[int, ...] = ()
    start: int = 0
    whole: int = 0
    joined: bool = False

    @property
    def is_torn(self) -> bool:
        """Whether it ends inside an event."""
        return self.start + len(self.data) < self.whole


class Mark(msgspec.Struct, frozen=True):
    """Nothing is sent: faults took something away, or time passes. `completes` are the events whose
    place this is now.
    """

    at_us: int
    told: str
    faults: tuple[int, ...]
    completes: tuple[int, ...] = ()


class End(msgspec.Struct, frozen=True):
    """The body ends as its protocol ends a body."""

    at_us: int
    faults: tuple[int, ...] = ()


class Break(msgspec.Struct, frozen=True):
    """The stream ends without the protocol's ending: a FIN, a closed pipe, a FIN inside a chunk
    that promised `owed` more bytes, a FIN while the other side may still speak, or a RST that comes
    only when every byte before it was acknowledged.
    """

    at_us: int
    how: How
    faults: tuple[int, ...] = ()
    owed: int = 0


class Close(msgspec.Struct, frozen=True):
    """The WebSocket is closed with this code, 0 for none, and this reason."""

    at_us: int
    code: int
    faults: tuple[int, ...] = ()
    reason: bytes = b""


class Linger(msgspec.Struct, frozen=True):
    """Nothing more was recorded although nothing had ended: wait for the other side to leave, with
    the performer's patience. Where a fault says so, without end.
    """

    at_us: int
    faults: tuple[int, ...] = ()


class Await(msgspec.Struct, frozen=True):
    """What the host did here: nothing later happens before it does it again."""

    at_us: int
    what: Heard | HeardEnd | Signalled
    faults: tuple[int, ...] = ()


class Hold(msgspec.Struct, frozen=True):
    """The host cancels here: wait for its SIGINT or SIGTERM, then die of it or play on."""

    at_us: int
    then: Literal["stop", "rest"]
    faults: tuple[int, ...] = ()


class Rejoin(msgspec.Struct, frozen=True):
    """The client leaves here and asks again, since the last id it saw, since none, or since one
    that nobody gave out.
    """

    at_us: int
    since: Since
    faults: tuple[int, ...] = ()


class Quit(msgspec.Struct, frozen=True):
    """The process ends: exit `code`, or the signal that kills it."""

    at_us: int
    code: int | None
    signal: str | None = None
    faults: tuple[int, ...] = ()


Step = Head | Send | Mark | End | Break | Close | Linger | Await | Hold | Rejoin | Quit


class Schedule(msgspec.Struct, frozen=True):
    """What will be done, and by which faults of the plan it was changed."""

    steps: tuple[Step, ...]

    @property
    def faults(self) -> frozenset[int]:
        """Indices of the plan's faults that this schedule executes."""
        return frozenset(fault for step in self.steps for fault in step.faults)

    @property
    def body(self) -> bytes:
        """All bytes of the body or of stdout."""
        return b"".join(
            step.data for step in self.steps if isinstance(step, Send) and step.stream != "stderr"
        )

    @property
    def chunked(self) -> bool:
        """Whether the body is delimited by chunks."""
        return any(isinstance(step, Head) and step.framing == "chunked" for step in self.steps)


def render(schedule: Schedule, plan: Plan) -> Iterator[str]:
    """The schedule as lines for people: what a dry run prints. Shows no content of any event."""
    offset = 0
    for step in schedule.steps:
        line = f"{step.at_us / 1e6:+10.3f}s  {_shown(step, offset)}"
        if isinstance(step, Send) and step.stream != "stderr":
            offset += len(step.data)
        specs = ", ".join(spec_of(plan.faults[fault]) for fault in step.faults)
        yield f"{line}  <- {specs}" if specs else line


def _shown(step: Step, offset: int) -> str:
    match step:
        case Head(status=status, headers=headers):
            return f"head {status} {dict(headers).get('content-type', '')}".rstrip()
        case Send(data=data, unit=unit):
            return f"{_name(step)}  {label_of(unit)}  {len(data)} B"
        case Mark(told=told):
            return told
        case End():
            return f"end of body after {offset} B"
        case Break(how=how, owed=owed):
            promised = f", {owed} B short of its chunk" if owed else ""
            return f"cut {how} after {offset} B{promised}"
        case Close(code=code):
            return f"close {code} after {offset} B"
        case Linger(faults=()):
            return "nothing more was recorded: waits for the other side to leave"
        case Linger():
            return f"hangs after {offset} B"
        case Await(what=what):
            return f"waits for {awaited(what)}"
        case Hold(then=then):
            return f"waits for SIGINT or SIGTERM, then {then}"
        case Rejoin(since=since):
            return f"leaves after {offset} B and asks again since {since}"
        case Quit(code=code, signal=signal):
            return f"killed by {signal}" if signal else f"exit {code or 0}"


def _name(send: Send) -> str:
    if send.stream == "stderr":
        return "stderr"
    match send.completes:
        case ():
            return "part"
        case (0,):
            return "forged"
        case (number,):
            return f"event {number}"
        case numbers:
            return f"events {numbers[0]}-{numbers[-1]}"


def awaited(what: Heard | HeardEnd | Signalled) -> str:
    """What the host is waited for, in words."""
    match what:
        case Heard(unit=unit):
            return f"input {label_of(unit)}"
        case HeardEnd():
            return "the end of input"
        case Signalled(name=name):
            return name
