"""Signals for us, which are meant for the command, and whether it has them already.

A key (^C, ^\\) and a resized window reach every process in front of the terminal, the command
included: sent on, it would have them twice. A host that signals us alone means the command. The two
are told apart by who sent the signal, which Linux says; elsewhere by whether we are at a terminal.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import signal
import struct
import sys
from collections.abc import Callable, Collection, Iterator
from typing import Final

from .descriptors import is_terminal

FORWARDED: Final = (
    signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
    signal.SIGUSR1, signal.SIGUSR2, signal.SIGWINCH,
)  # fmt: skip

Told = Callable[[signal.Signals, bool], None]
"""Called with a signal, and whether the terminal sent it to the command as well."""

_BY_TERMINAL: Final = frozenset({signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGWINCH})
_SENT_BY_KERNEL: Final = 0x80
_HEAD: Final = struct.Struct("=IiI")
"""Number, errno and code: what a record of a signal descriptor begins with."""

_RECORD_BYTES: Final = 128
_SET_BYTES: Final = 128
_NONBLOCK_CLOEXEC: Final = os.O_NONBLOCK | os.O_CLOEXEC


@contextlib.contextmanager
def caught(told: Told) -> Iterator[None]:
    """While inside, `told` has the signals sent to us, on the running loop. One that was ignored
    when we were started stays so, for both. Call from the main thread, before any other one is
    started that should not take signals either.
    """
    loop = asyncio.get_running_loop()
    numbers = [s for s in FORWARDED if signal.getsignal(s) is not signal.SIG_IGN]
    for number in numbers:  # also for what a thread takes that was there before us
        loop.add_signal_handler(number, lambda n: told(n, _is_anyones(n)), number)
    reader = _descriptor(numbers)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers if reader is not None else ())
    if reader is not None:
        loop.add_reader(reader, _read, reader, told)
    try:
        yield
    finally:
        if reader is not None:
            loop.remove_reader(reader)
            os.close(reader)
        for number in numbers:
            loop.remove_signal_handler(number)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _read(descriptor: int, told: Told) -> None:
    with contextlib.suppress(BlockingIOError):
        while record := os.read(descriptor, _RECORD_BYTES):
            number, _, code = _HEAD.unpack_from(record)
            told(signal.Signals(number), code == _SENT_BY_KERNEL and not _is_ours_alone(number))


def _is_ours_alone(number: int) -> bool:
    """A terminal that goes away tells the leader of its session first; the rest learn it when that
    one ends.
    """
    return number == signal.SIGHUP and os.getsid(0) == os.getpid()


def _is_anyones(number: signal.Signals) -> bool:
    """Whether the terminal may have sent it, where nobody says who did."""
    return number in _BY_TERMINAL and is_terminal(0)


def _descriptor(numbers: Collection[int]) -> int | None:
    """A descriptor to read signals from; None where the system has no such thing."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        signalfd = ctypes.CDLL(None, use_errno=True).signalfd
    except (OSError, AttributeError):
        return None
    wanted = sum(1 << (number - 1) for number in numbers)
    found = signalfd(-1, wanted.to_bytes(_SET_BYTES, sys.byteorder), _NONBLOCK_CLOEXEC)
    return found if found >= 0 else None
