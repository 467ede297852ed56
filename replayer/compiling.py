"""Steps compiled for a transport, framed as its carrier frames them. Pure, so that it can be kept
and used again.

Rules of this file
- What was one read is one chunk. A read that ended inside an event brings the beginning of the next
  one when the former is due, as it was recorded.
- What is due together is written together, but for reads that end inside an event: those are writes
  of their own. More than that nobody can do for what the other side reads.
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
    """What is due together, framed: one write, or those of the lengths in `writes`. One that is
    `torn` ends inside an event of which more is to come.
    """

    at_us: int
    wire: bytes
    size: int
    events: int
    faults: tuple[int, ...]
    writes: tuple[int, ...] = ()
    torn: bool = False

    @property
    def pieces(self) -> Iterator[bytes | memoryview]:
        """What to write, one after the other."""
        if not self.writes:
            yield self.wire
            return
        wire, start = memoryview(self.wire), 0
        for size in self.writes:
            yield wire[start : start + size]
            start += size


Move = Batch | Mark | Head | End | Break | Linger


def compiled(schedule: Schedule, framing: Framing) -> tuple[Move, ...]:
    """The moves that perform `schedule` under a framing."""
    return tuple(moves(schedule.steps, framing))


class _Read(msgspec.Struct):
    """What one read of the other side is to bring: data of `send`, and of what was joined to it.
    One that is `torn` ends inside an event.
    """

    send: Send
    data: list[bytes]
    size: int = 0
    events: int = 0
    faults: tuple[int, ...] = ()
    torn: bool = False


def _reads(steps: Iterable[Step]) -> Iterator[_Read | Step]:
    """The steps with their sends cut into reads."""
    read: _Read | None = None
    last: Send | None = None
    for step in steps:
        if read is not None and not (last and isinstance(step, Send) and _goes_on(last, step)):
            yield read
            read = None
        if not isinstance(step, Send):
            yield step
            continue
        pieces = [*_pieces(step)]
        for place, piece in enumerate(pieces, 1):
            read = read or _Read(step, [])
            read.data.append(piece)
            read.size += len(piece)
            if place == 1:
                read.faults += step.faults
            read.torn = place < len(pieces) or step.is_torn
            if place < len(pieces):
                yield read
                read = None
        assert read is not None, "a send has at least one piece"
        read.events += len(step.completes)
        last = step
        if not step.joined:
            yield read
            read = None
    if read is not None:
        yield read


def _goes_on(send: Send, following: Send) -> bool:
    """Whether what follows a joined send was recorded behind it, and so began in its read."""
    if not send.completes or following.completes != (send.completes[-1] + 1,):
        return False
    return bool(following.slices) or following.at_us == send.at_us


def _pieces(send: Send) -> Iterator[bytes]:
    start = 0
    for size in send.slices or (len(send.data),):
        yield send.data[start : start + size]
        start += size


def moves(steps: Iterable[Step], framing: Framing) -> Iterator[Move]:
    """The moves that perform `steps`, one at a time: no more than a batch is held."""
    pending: list[_Read] = []
    size = 0
    for step in _reads(steps):
        if pending and (
            not isinstance(step, _Read)
            or step.send.at_us != pending[0].send.at_us
            or size >= BATCH_BYTES
        ):
            owed = step.owed if isinstance(step, Break) else 0
            yield _batch(pending, framing, owed)
            pending, size = [], 0
        elif isinstance(step, Break) and step.owed:
            yield Batch(step.at_us, framing.piece(_NOTHING, b"", step.owed), 0, 0, ())
        match step:
            case _Read():
                pending.append(step)
                size += step.size
            case Close(at_us=at_us, code=code, faults=faults, reason=reason):
                yield Batch(at_us, framing.closing(code, reason), 0, 0, faults)
                yield Break(at_us, "clean")
            case Mark() | Head() | End() | Break() | Linger():
                yield step
            case _:
                raise TypeError(f"{type(step).__name__} is an agent's step, not a provider's")
    if pending:
        yield _batch(pending, framing, 0)


def _batch(reads: list[_Read], framing: Framing, owed: int) -> Batch:
    """Reads that are due together; the last promises `owed` bytes more than there are. What ends
    inside an event is written apart, so that it has a chance to be read apart.
    """
    wire: list[bytes] = []
    writes = [0]
    last = len(reads) - 1
    for place, read in enumerate(reads):
        if read.size:  # an empty chunk would end the body
            data = read.data[0] if len(read.data) == 1 else b"".join(read.data)
            wire.append(framing.piece(read.send, data, owed if place == last else 0))
            writes[-1] += len(wire[-1])
        if read.torn and place < last:
            writes.append(0)
    return Batch(
        reads[0].send.at_us,
        b"".join(wire),
        sum(read.size for read in reads),
        sum(read.events for read in reads),
        tuple(fault for read in reads for fault in read.faults),
        tuple(writes) if len(writes) > 1 else (),
        reads[-1].torn,
    )


def _frame_head(opcode: int, size: int) -> bytes:
    """A WebSocket frame's head: final, unmasked."""
    first = bytes((0x80 | opcode,))
    if size < 126:
        return first + bytes((size,))
    if size < 1 << 16:
        return first + b"\x7e" + size.to_bytes(2)
    return first + b"\x7f" + size.to_bytes(8)
