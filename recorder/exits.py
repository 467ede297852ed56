"""How processes end, and how to end like one."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import signal
import subprocess
from typing import NoReturn

import msgspec

from turnreel.wire.units import Json


class ExitStatus(msgspec.Struct, frozen=True):
    """How a process ended: its exit `code`, or the name of the `killed_by` signal."""

    code: int | None = None
    killed_by: str | None = None

    @classmethod
    def of(cls, returncode: int) -> ExitStatus:
        """From `Popen.returncode`, where a negative number is a signal."""
        if returncode >= 0:
            return cls(code=returncode)
        return cls(killed_by=signal_name(-returncode))


def exit_fields(status: ExitStatus) -> dict[str, Json]:
    """The fields of an ``exit`` record."""
    return {"code": status.code} if status.killed_by is None else {"signal": status.killed_by}


def leave(status: ExitStatus) -> NoReturn:
    """End this process as `status` says: with that code, or by that signal (without a core)."""
    if status.killed_by is not None:
        number = _number(status.killed_by)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(OSError):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        os._exit(128 + number)  # the signal is one that does not kill
    raise SystemExit(status.code or 0)


def signal_name(number: int) -> str:
    """``SIGINT`` for 2; real-time signals, which have no name, by number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"


def _number(name: str) -> int:
    named = {s.name: s.value for s in signal.Signals}
    return named.get(name) or int(name.removeprefix("SIG"))


async def exit_of(process: subprocess.Popen[bytes]) -> int:
    """The return code, once there is one."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    try:
        pidfd = os.pidfd_open(process.pid)
    except (AttributeError, OSError):  # not Linux, or a kernel or sandbox without it
        return await asyncio.to_thread(process.wait)
    loop.add_reader(pidfd, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(pidfd)
        os.close(pidfd)
    return process.wait()
