"""The emitter: timed steps onto a transport, byte for byte.

Guarantees
- Steps are executed in order, each at its absolute due time or, if that has passed, at once:
  lateness never adds up.
- What reaches the transport is the framed data of the sends, nothing between and nothing else.
- A FIN comes behind every byte before it: between two chunks, inside one, behind a WebSocket's
  close frame, or while the other side may still speak.
- A reset comes only when every byte before it has been acknowledged by the other side, or after
  `FLUSH_S`; `Emitter.unflushed` then says how many bytes were not.
- Memory: at most `BATCH_BYTES` above the transport's high-water mark, or one event if that is
  larger, however slowly the other side reads.
- `sent`, `events`, `torn`, `fired` and `ended` tell the truth at any moment, also after
  cancellation.
"""

from __future__ import annotations

import array
import asyncio
import socket
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final, Literal, Protocol

from .compiling import BATCH_BYTES, Batch, Move
from .steps import Break, End, Head, How, Linger, Mark

FLUSH_S: Final = 5.0
PATIENCE_S: Final = 30.0

Ended = Literal["complete", "cut clean", "cut chunk", "cut reset", "cut half", "left", "open"]
"""How an exchange ended: as its protocol says, cut by us and how, by the other side leaving, or
not yet.
"""


class Outlet(Protocol):
    """Where an exchange's bytes go: the protocol's head, then a raw transport."""

    @property
    def transport(self) -> asyncio.Transport:
        """The connection's transport."""

    async def open(self, head: Head) -> None:
        """Write the response head. Called at most once, before any body."""

    async def drain(self) -> None:
        """Return when the transport's buffer is below its high-water mark."""

    async def gone(self) -> None:
        """Return when the other side has left."""

    def torn(self, inside: bool) -> None:
        """What was written until now ends inside a message, or does so no more. Told when it
        changes.
        """


class Emitter:
    """Performs one exchange on one outlet."""

    def __init__(self, outlet: Outlet, *, patience_s: float = PATIENCE_S) -> None:
        self._outlet = outlet
        self._patience_s = patience_s
        self.sent = 0
        """Bytes of the decoded body handed to the transport."""
        self.events = 0
        """Events handed over whole, copies included."""
        self.fired: list[int] = []
        """Indices of the plan's faults that were executed, one for each of their steps."""
        self.ended: Ended = "open"
        self.unflushed = 0
        self.torn = False
        """Whether what was handed over ends inside an event."""

    async def play(self, moves: Iterable[Move]) -> None:
        """Execute the moves from now on; each is asked for when the one before it is done. Returns
        when the last one is; on ``complete`` the caller still has to end the body as its protocol
        does. Cancellation means that the other side left.
        """
        loop = asyncio.get_running_loop()
        begun = loop.time()
        upcoming = iter(moves)
        move = next(upcoming, None)
        try:
            while move is not None:
                if isinstance(move, Batch):
                    move = await self._pour(move, upcoming, begun)
                    continue
                await asyncio.sleep(max(0.0, begun + move.at_us / 1e6 - loop.time()))
                await self._execute(move)
                move = next(upcoming, None)
        except (asyncio.CancelledError, ConnectionError):
            if self.ended == "open":
                self.ended = "left"
            raise

    async def _pour(self, first: Batch, upcoming: Iterator[Move], begun: float) -> Move | None:
        """Write the batches from `first` on, each when due; returns the first move that is none, or
        that has to wait for the reader.
        """
        pouring = _Pouring(self, self._outlet, first, upcoming, begun)
        pouring.pour()
        try:
            await pouring.over
        finally:
            if pouring.timer is not None:
                pouring.timer.cancel()
        await self._outlet.drain()
        if pouring.poured >= BATCH_BYTES:
            await asyncio.sleep(0)  # a reader that keeps up must not starve the others
        return pouring.move

    async def _execute(self, move: Mark | Head | End | Break | Linger) -> None:
        match move:
            case Mark():
                self.fired += move.faults
            case Head():
                await self._outlet.open(move)
                self.fired += move.faults
            case End():
                self.ended = "complete"
                self.fired += move.faults
            case Break(how="half"):
                self._outlet.transport.write_eof()
                self.ended = "cut half"
                self.fired += move.faults
                await self._alone(self._patience_s)
                self._outlet.transport.close()
            case Break(how=how):
                await self._break(how)
                self.fired += move.faults
            case Linger(faults=()):
                await self._alone(self._patience_s)
                await self._break("clean")
            case Linger():
                self.fired += move.faults
                await self._alone(None)
                self.ended = "left"

    async def _alone(self, patience_s: float | None) -> None:
        """Wait until the other side has left, or for so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience_s):
                await self._outlet.gone()

    async def _break(self, how: How) -> None:
        transport = self._outlet.transport
        if how != "reset":
            transport.close()
            self.ended = "cut chunk" if how == "chunk" else "cut clean"
            return
        self.unflushed = await flushed(transport, FLUSH_S)
        sock: socket.socket = transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()
        self.ended = "cut reset"


class _Pouring:
    """Batches on their way out. Timers call straight into the writing: a task woken for every event
    would cost more than the event. Nothing refers to itself here: what is written is free at once.
    """

    def __init__(
        self,
        emitter: Emitter,
        outlet: Outlet,
        first: Batch,
        upcoming: Iterator[Move],
        begun: float,
    ) -> None:
        self._emitter = emitter
        self._outlet = outlet
        self._upcoming = upcoming
        self._begun = begun
        self._loop = asyncio.get_running_loop()
        self.move: Move | None = first
        """What is to be done next."""
        self.poured = 0
        """Bytes written since something was waited for."""
        self.timer: asyncio.TimerHandle | None = None
        self.over: asyncio.Future[None] = self._loop.create_future()
        """Done when the next move is no batch, or has to wait for the reader."""

    def pour(self) -> None:
        """Write what is due, and come back for what is not yet. What goes wrong is told to whoever
        waits: a timer's caller would log it, and the exchange never end.
        """
        if self.over.done():  # it was cancelled while the timer was due
            return
        try:
            self._write()
        except Exception as error:
            self.over.set_exception(error)

    def _write(self) -> None:
        transport, emitter = self._outlet.transport, self._emitter
        while isinstance(batch := self.move, Batch) and self.poured < BATCH_BYTES:
            due = self._begun + batch.at_us / 1e6
            if due > self._loop.time():
                self.timer = self._loop.call_at(due, self.pour)
                self.poured = 0
                return
            if transport.is_closing():
                raise ConnectionResetError("the other side has left")
            for piece in batch.pieces:
                transport.write(piece)
            if batch.torn is not emitter.torn:
                emitter.torn = batch.torn
                self._outlet.torn(batch.torn)
            emitter.sent += batch.size
            emitter.events += batch.events
            if batch.faults:
                emitter.fired += batch.faults
            self.move = next(self._upcoming, None)
            self.poured += batch.size
            if transport.get_write_buffer_size():
                break
        self.over.set_result(None)


async def flushed(transport: asyncio.Transport, within_s: float) -> int:
    """Wait until the other side has acknowledged every byte written so far, at most `within_s`;
    return how many bytes it has not.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + within_s
    while (left := transport.get_write_buffer_size() + _unacknowledged(transport)) > 0:
        if transport.is_closing() or loop.time() >= until:
            return left
        await asyncio.sleep(0.001)
    return 0


def _unacknowledged(transport: asyncio.Transport) -> int:
    """Bytes in the kernel's send queue; 0 where the system does not tell."""
    sock: socket.socket = transport.get_extra_info("socket")
    if sys.platform == "darwin":
        so_nwrite = 0x1024
        return sock.getsockopt(socket.SOL_SOCKET, so_nwrite)
    if sys.platform == "win32":
        return 0
    import fcntl
    import termios

    count = array.array("i", [0])
    fcntl.ioctl(sock.fileno(), termios.TIOCOUTQ, count)
    return count[0]
