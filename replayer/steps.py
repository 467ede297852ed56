"""Timed steps: the only language between schedules, which decide, and performers, which act.

Every step has `at_us`, microseconds from the start of the exchange or of the agent, already
paced. A performer executes steps in order, each when it is due and never before; a step that a
fault put there carries the fault's index in the plan, so executing it is the fault's firing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from turnreel.wire.units import Unit

from .faults import Plan, spec_of
from .script import Heard, HeardEnd, Signalled, label_of


class Head(msgspec.Struct, frozen=True):
    """A response head. `framing` says how the body is delimited; `length` its bytes, if that is
    how.
    """

    at_us: int
    status: int
    headers: tuple[tuple[str, str], ...]
    framing: Literal["chunked", "length"]
    length: int = 0
    fault: int | None = None


class Send(msgspec.Struct, frozen=True):
    """Bytes of the body or of an output stream. `completes` is the number of the event whose last
    byte this is, None for a part or for stderr. `slices` are the lengths to write separately.
    """

    at_us: int
    data: bytes
    unit: Unit
    stream: Literal["body", "stdout", "stderr"] = "body"
    completes: int | None = None
    slices: tuple[int, ...] = ()
    fault: int | None = None


class End(msgspec.Struct, frozen=True):
    """The body ends as its protocol ends a body."""

    at_us: int


class Break(msgspec.Struct, frozen=True):
    """The stream ends without the protocol's ending: a FIN, a closed pipe, or a RST that comes
    only when every byte before it was acknowledged.
    """

    at_us: int
    how: Literal["clean", "reset"]
    fault: int | None = None


class Linger(msgspec.Struct, frozen=True):
    """Nothing more was recorded although nothing had ended: wait for the other side to leave."""

    at_us: int


class Await(msgspec.Struct, frozen=True):
    """What the host did here: nothing later happens before it does it again."""

    at_us: int
    what: Heard | HeardEnd | Signalled


class Hold(msgspec.Struct, frozen=True):
    """Wait for the host's SIGINT or SIGTERM, then die of it or play on."""

    at_us: int
    then: Literal["stop", "rest"]
    fault: int | None = None


class Quit(msgspec.Struct, frozen=True):
    """The process ends: exit `code`, or the signal that kills it."""

    at_us: int
    code: int | None
    signal: str | None = None
    fault: int | None = None


Step = Head | Send | End | Break | Linger | Await | Hold | Quit


class Schedule(msgspec.Struct, frozen=True):
    """What will be done, and by which faults of the plan it was changed."""

    steps: tuple[Step, ...]

    @property
    def faults(self) -> frozenset[int]:
        """Indices of the plan's faults that this schedule executes."""
        return frozenset(
            fault for step in self.steps if (fault := getattr(step, "fault", None)) is not None
        )

    @property
    def body(self) -> bytes:
        """All bytes of the body or of stdout."""
        return b"".join(
            step.data for step in self.steps if isinstance(step, Send) and step.stream != "stderr"
        )


def render(schedule: Schedule, plan: Plan) -> Iterator[str]:
    """The schedule as lines for people: what a dry run prints. Shows no content of any event."""
    offset = 0
    for step in schedule.steps:
        line = f"{step.at_us / 1e6:+10.3f}s  "
        match step:
            case Head(status=status, headers=headers):
                line += f"head {status} {dict(headers).get('content-type', '')}".rstrip()
            case Send(data=data, unit=unit, stream=stream, completes=number):
                name = "stderr" if stream == "stderr" else f"event {number}" if number else "part"
                line += f"{name}  {label_of(unit)}  {len(data)} B"
                offset += 0 if stream == "stderr" else len(data)
            case End():
                line += f"end of body after {offset} B"
            case Break(how=how):
                line += f"cut {how} after {offset} B"
            case Linger():
                line += "nothing more was recorded: waits for the other side to leave"
            case Await(what=what):
                line += f"waits for {awaited(what)}"
            case Hold(then=then):
                line += f"waits for SIGINT or SIGTERM, then {then}"
            case Quit(code=code, signal=signal):
                line += f"killed by {signal}" if signal else f"exit {code or 0}"
        fault = getattr(step, "fault", None)
        yield line if fault is None else f"{line}  <- {spec_of(plan.faults[fault])}"


def awaited(what: Heard | HeardEnd | Signalled) -> str:
    """What the host is waited for, in words."""
    match what:
        case Heard(unit=unit):
            return f"input {label_of(unit)}"
        case HeardEnd():
            return "the end of input"
        case Signalled(name=name):
            return name
