"""File descriptors a pump can read and write without ever blocking the loop.

Standard input and output are shared with whoever started us: their flags are not ours to change.
So each one is opened again for ourselves where the system allows it, spoken to with per-call
flags where it is a socket, and merely duplicated where it is a regular file (opened again, it
would start at offset 0 and overwrite what stands there).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import socket
import stat
from typing import Final, Protocol

PIPE_BYTES: Final = 1 << 20
"""The capacity asked for of pipes we create; a smaller grant is no error."""

_UNLIMITED: Final = 1 << 30


class End(Protocol):
    """One end of a stream. `read` and `write` do not block; None from `read` and 0 from `write`
    mean "not now". b"" from `read` is the end. Errors of the peer's absence are raised as
    `OSError`. `polled` is False for files that a poller refuses because they are always ready.
    """

    fd: int
    polled: bool

    def read(self, size: int) -> bytes | None:
        """Up to `size` bytes, b"" at the end, None if there is nothing now."""

    def write(self, data: memoryview) -> int:
        """How many bytes of `data` were taken, 0 if none can be now."""

    def close(self) -> None:
        """Let go, idempotently."""


class DescriptorEnd:
    """A pipe, terminal or file by its own descriptor. `burst` bounds one write where the
    descriptor may block: a poller promises room for PIPE_BUF bytes, no more. `inherited` is the
    number it stands for; closing closes that as well, so that the peer notices.
    """

    def __init__(self, fd: int, burst: int = _UNLIMITED, inherited: int | None = None) -> None:
        self.fd = fd
        self.polled = _can_be_polled(fd)
        self._burst = burst if self.polled else _UNLIMITED
        self._inherited = inherited

    def read(self, size: int) -> bytes | None:
        try:
            return os.read(self.fd, size)
        except BlockingIOError:
            return None

    def write(self, data: memoryview) -> int:
        try:
            return os.write(self.fd, data[: self._burst])
        except BlockingIOError:
            return 0

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1
            _give_up(self._inherited)


class SocketEnd:
    """A socket somebody gave us as standard stream (Node does), never put into another mode."""

    polled = True

    def __init__(self, fd: int, inherited: int | None = None) -> None:
        self._socket = socket.socket(fileno=fd)
        self.fd = fd
        self._inherited = inherited

    def read(self, size: int) -> bytes | None:
        try:
            return self._socket.recv(size, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return None

    def write(self, data: memoryview) -> int:
        try:
            return self._socket.send(data, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return 0

    def close(self) -> None:
        if self.fd >= 0:
            self._socket.close()
            self.fd = -1
            _give_up(self._inherited)


def inherited(number: int, access: int) -> End:
    """A non-blocking end for the descriptor `number` we were started with, whose flags stay as
    they are. `access` is `os.O_RDONLY` or `os.O_WRONLY`. Closing it closes that descriptor too.
    A closed descriptor is as good as /dev/null.
    """
    return _own(number, access, gives_up=number)


def borrowed(number: int, access: int) -> End:
    """The same, but the descriptor itself stays open when the end is closed."""
    return _own(number, access, gives_up=None)


def pipe_end(fd: int) -> End:
    """Our end of a pipe to a child; the child's end keeps its own flags."""
    os.set_blocking(fd, False)
    return DescriptorEnd(fd)


def is_terminal(number: int) -> bool:
    """Whether the descriptor `number` is open and a terminal."""
    try:
        return os.isatty(number)
    except OSError:
        return False


def roomy_pipe() -> tuple[int, int]:
    """A pipe (read, write) with as much capacity as the system grants, up to `PIPE_BYTES`."""
    read, write = os.pipe()
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with contextlib.suppress(OSError):  # the user's share of pipe memory is spent
            fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    return read, write


def _own(number: int, access: int, gives_up: int | None) -> End:
    try:
        mode = os.fstat(number).st_mode
    except OSError:
        return DescriptorEnd(os.open(os.devnull, access))
    if stat.S_ISSOCK(mode):
        return SocketEnd(os.dup(number), gives_up)
    if stat.S_ISREG(mode):
        return DescriptorEnd(os.dup(number), inherited=gives_up)
    try:
        own = os.open(f"/proc/self/fd/{number}", access | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError:  # no /proc, a terminal of another user, a pipe without a reader
        return DescriptorEnd(os.dup(number), select.PIPE_BUF, gives_up)
    return DescriptorEnd(own, inherited=gives_up)


def _give_up(number: int | None) -> None:
    """Let /dev/null stand where the inherited descriptor stood."""
    if number is None:
        return
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, number)
    os.close(null)


def _can_be_polled(fd: int) -> bool:
    """False where epoll refuses the file because it is always ready (regular, /dev/null)."""
    if not hasattr(select, "epoll"):
        return not stat.S_ISREG(os.fstat(fd).st_mode)
    with contextlib.closing(select.epoll()) as poller:
        try:
            poller.register(fd, 0)
        except PermissionError:
            return False
    return True
