"""Steps compiled for a transport: what is due together becomes one write, framed as its carrier
frames it. Pure, so it can be kept and used again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Protocol

import msgspec

from turnreel.wire.units import BodyFraming, TextUnit

from .steps import Break, Close, End, Head, Linger, Mark, Schedule, Send, Step

BATCH_BYTES: Final = 64 * 1024

_NOTHING: Final = Send(0, b"", TextUnit("", BodyFraming()))


class Framing(Protocol):
    """How a carrier delimits what is sent."""

    def piece(self, send: Send, data: bytes, owed: int) -> bytes:
        """`data`, a piece of `send`, on the wire; `owed` bytes that are promised with it never
        come.
        """

    def closing(self, code: int, reason: bytes) -> bytes:
        """The carrier's word for closing with `code`, 0 for none."""


class _Plain:
    """The body's length is known, or its end is the connection's: nothing stands around it."""

    def piece(self, send: Send, data: bytes, owed: int) -> bytes:
        return data

    def closing(self, code: int, reason: bytes) -> bytes:
        raise TypeError("only a WebSocket is closed with a code")


class _Chunked(_Plain):
    """HTTP/1.1 chunks."""

    def piece(self, send: Send, data: bytes, owed: int) -> bytes:
        end = b"" if owed else b"\r\n"
        return b"%x\r\n%b%b" % (len(data) + owed, data, end)


class _WebSocket:
    """Messages of a server: a frame each, unmasked and whole; a part of one carries the head of the
    whole.
    """

    def __init__(self, opcode: int) -> None:
        self._opcode = opcode

    def piece(self, send: Send, data: bytes, owed: int) -> bytes:
        if send.start:
            return data
        return _frame_head(self._opcode, send.whole or len(data)) + data

    def closing(self, code: int, reason: bytes) -> bytes:
        told = code.to_bytes(2) + reason if code else b""
        return _frame_head(0x8, len(told)) + told


PLAIN: Final[Framing] = _Plain()
CHUNKED: Final[Framing] = _Chunked()
WEBSOCKET: Final[Framing] = _WebSocket(0x1)
BINARY: Final[Framing] = _WebSocket(0x2)


def pong(message: bytes) -> bytes:
    """A WebSocket's reply to a ping."""
    return _frame_head(0xA, len(message)) + message


class Batch(msgspec.Struct, frozen=True):
    """Sends that are due together, framed: one write. One that is `torn` ends inside a piece of
    which more is to come.
    """

    at_us: int
    wire: bytes
    size: int
    events: int
    faults: tuple[int, ...]
    torn: bool = False


Move = Batch | Mark | Head | End | Break | Linger


def compiled(schedule: Schedule, framing: Framing) -> tuple[Move, ...]:
    """The moves that perform `schedule` under a framing."""
    return tuple(_moves(schedule.steps, framing))


def _moves(steps: Iterable[Step], framing: Framing) -> Iterator[Move]:
    pending: list[Send] = []
    size = 0
    for step in steps:
        if pending and (
            not isinstance(step, Send) or step.at_us != pending[0].at_us or size >= BATCH_BYTES
        ):
            owed = step.owed if isinstance(step, Break) else 0
            yield _batch(pending, framing, owed)
            pending, size = [], 0
        elif isinstance(step, Break) and step.owed:
            yield Batch(step.at_us, framing.piece(_NOTHING, b"", step.owed), 0, 0, ())
        match step:
            case Send():
                pending.append(step)
                size += len(step.data)
            case Close(at_us=at_us, code=code, faults=faults, reason=reason):
                yield Batch(at_us, framing.closing(code, reason), 0, 0, faults)
                yield Break(at_us, "clean")
            case Mark() | Head() | End() | Break() | Linger():
                yield step
            case _:
                raise TypeError(f"{type(step).__name__} is an agent's step, not a provider's")
    if pending:
        yield _batch(pending, framing, 0)


def _batch(sends: list[Send], framing: Framing, owed: int) -> Batch:
    """One write of `sends`; the last piece promises `owed` bytes more than there are."""
    pieces = [(send, piece) for send in sends for piece in _pieces(send)]
    last = len(pieces) - 1
    framed = [
        framing.piece(send, piece, owed if place == last else 0)
        for place, (send, piece) in enumerate(pieces)
    ]
    return Batch(
        sends[0].at_us,
        b"".join(framed),
        sum(len(send.data) for send in sends),
        sum(len(send.completes) for send in sends),
        tuple(fault for send in sends for fault in send.faults),
        torn=sends[-1].start + len(sends[-1].data) < sends[-1].whole,
    )


def _pieces(send: Send) -> Iterator[bytes]:
    start = 0
    for size in send.slices or (len(send.data),):
        if size:  # an empty chunk would end the body
            yield send.data[start : start + size]
        start += size


def _frame_head(opcode: int, size: int) -> bytes:
    """A WebSocket frame's head: final, unmasked."""
    first = bytes((0x80 | opcode,))
    if size < 126:
        return first + bytes((size,))
    if size < 1 << 16:
        return first + b"\x7e" + size.to_bytes(2)
    return first + b"\x7f" + size.to_bytes(8)
