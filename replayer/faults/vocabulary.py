"""The fault vocabulary: one table, from which parsing, help, schema and documents come.

A *fault* is a frozen value that says what goes wrong and where. Faults never act by themselves:
`schedule` turns recordings and faults into timed steps, performers execute the steps. To add a
fault: a dataclass and a row in its family's module, and its place in `schedule`.

Rules of this table
- `times` counts executions, 1 unless told. `exchange` narrows a fault to one recorded exchange.
- A fault that was planned and did not happen as often as planned is an error of the plan.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from . import event, process, session, transport
from .event import (
    ChangedId,
    ConflictingTerminal,
    Drop,
    Duplicate,
    Late,
    Malformed,
    MissingTerminal,
    NativeRetry,
    PingStorm,
    Reorder,
    SecondTerminal,
    SuccessThenError,
    Unknown,
)
from .places import Place, number_of, text_of
from .process import Exit, Kill, PartialLine, StderrNoise, StdoutNoise
from .session import Cancel, Reconnect, Replay, Resume
from .transport import (
    Close,
    Cut,
    Delay,
    Drip,
    HalfClose,
    Hang,
    Refuse,
    Reslice,
    Stall,
    Status,
    Truncate,
)
from .words import Word

Fault = (
    Refuse | Status | Cut | Truncate | Stall | Hang | Drip | Reslice | Delay | HalfClose | Close
    | Drop | Duplicate | Reorder | Late | SecondTerminal | ConflictingTerminal | MissingTerminal
    | Unknown | Malformed | ChangedId | NativeRetry | SuccessThenError | PingStorm
    | Cancel | Reconnect | Replay | Resume
    | Exit | Kill | PartialLine | StderrNoise | StdoutNoise
)  # fmt: skip

WORDS: Final[tuple[Word, ...]] = (
    *transport.WORDS,
    *event.WORDS,
    *session.WORDS,
    *process.WORDS,
)

_BY_TYPE: Final = {word.fault: word for word in WORDS}


def word_of(fault: Fault) -> Word:
    """The vocabulary's row of `fault`."""
    return _BY_TYPE[type(fault)]


def spec_of(fault: Fault) -> str:
    """The fault as one would write it on the command line; `parse_fault` reads it back equal."""
    word = word_of(fault)
    head, options, place = word.name, [], ""
    for item in fields(fault):
        value = getattr(fault, item.name)
        if value == item.default:
            continue
        if item.name == "at":
            place = f"@{text_of(value)}"
            continue
        shown = number_of(value) if isinstance(value, float) else value
        if item.name == word.argument:
            head += f":{shown}"
        else:
            options.append(f",{item.name.replace('_', '-')}={shown}")
    return head + "".join(options) + place


def place_of(fault: Fault) -> Place | None:
    """Where the fault is to happen; None if it concerns the whole stream."""
    place: Place | None = getattr(fault, "at", None)
    return place
