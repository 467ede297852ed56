"""What an agent's host does to it: lines on stdin, the end of stdin, signals.

`Hearing` is one poll loop for all of it, so that the shim has no thread, hears the host while it
waits or writes, and never blocks on a pipe nobody reads. Only `poll` can watch pipes, sockets,
terminals and regular files alike.
"""

from __future__ import annotations

import os
import select
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from turnreel.wire.ndjson import LineFramer
from turnreel.wire.units import Unit

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
READ_BYTES: Final = 64 * 1024
PIPE_BUF: Final = 4096
"""What a pipe that polls writable takes without blocking."""
LONGEST_POLL_S: Final = 86_400.0
"""A longer wait takes several polls: systems count their milliseconds in 32 bits."""
LINES_AHEAD: Final = 4096
"""Lines read and not yet wanted; with more than that, the host is left to wait."""


class Hearing:
    """The host's side as heard so far. `lines` in order, `ended` once stdin is closed, `signals`
    by name in order of arrival.
    """

    def __init__(self, stdin: int) -> None:
        self._stdin = stdin
        self._framer = LineFramer()
        self._woken = -1
        self.lines: deque[Unit] = deque()
        self.ended = False
        self.signals: deque[str] = deque()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Catch SIGINT and SIGTERM while the block runs."""
        self._woken, wake = os.pipe()
        os.set_blocking(wake, False)
        os.set_blocking(self._woken, False)
        former = {number: signal.signal(number, self._note) for number in SIGNALS}
        before = signal.set_wakeup_fd(wake)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            for number, handler in former.items():
                signal.signal(number, handler)
            os.close(wake)
            os.close(self._woken)

    def wait(self, ready: Callable[[], bool], until: float | None) -> bool:
        """Hear until `ready()` or the monotonic time `until`; whether it became ready."""
        while not ready():
            left = None if until is None else until - time.monotonic()
            if left is not None and left <= 0:
                return False
            self._hear(left, None)
        return True

    def write(self, fd: int, data: bytes, stop: Callable[[], bool]) -> bool:
        """Write all of `data`, hearing the host meanwhile, or until `stop()`; whether all was
        written. Raises BrokenPipeError when nobody can read it any more.
        """
        view = memoryview(data)
        while view and not stop():
            if self._hear(None, fd):
                view = view[os.write(fd, view[:PIPE_BUF]) :]
        return not view

    def _hear(self, timeout_s: float | None, writing: int | None) -> bool:
        """One poll; whether `writing` takes bytes."""
        poll = select.poll()
        poll.register(self._woken, select.POLLIN)
        if not self.ended and len(self.lines) < LINES_AHEAD:
            poll.register(self._stdin, select.POLLIN)
        if writing is not None:
            poll.register(writing, select.POLLOUT)
        bounded = None if timeout_s is None else min(max(0.0, timeout_s), LONGEST_POLL_S) * 1000
        events = poll.poll(bounded)
        for fd, event in events:
            if fd == self._woken:
                with suppress(BlockingIOError):
                    os.read(self._woken, 64)
            elif fd == self._stdin and event & ~select.POLLOUT:
                self._read()
        return any(fd == writing for fd, _ in events)

    def _read(self) -> None:
        try:
            data = os.read(self._stdin, READ_BYTES)
        except OSError:  # closed before we began, or a terminal that hung up
            data = b""
        if data:
            self.lines += self._framer.feed(data)
        else:
            self.lines += self._framer.close()
            self.ended = True

    def _note(self, number: int, _frame: object) -> None:
        self.signals.append(signal.Signals(number).name)
