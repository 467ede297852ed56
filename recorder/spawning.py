"""Starting a command in our own place: what we were given is its, and it does not outlive a kill.

Whoever starts us believes to start the command. So it gets every descriptor that we inherited, and
the environment that we were started with; and where it can be had, our being killed kills it, as
the kill was meant for it.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

_PR_SET_PDEATHSIG: Final = 1

_GIVEN_MASK: Final = frozenset(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
"""The signals that whoever started us had blocked; the command's are to be the same."""


def spawned(
    argv: Sequence[str],
    env: Mapping[str, str] | None,
    *,
    stdin: int | None = None,
    stdout: int | None = None,
    stderr: int | None = None,
) -> subprocess.Popen[bytes]:
    """Start `argv`; a stream that is None is ours. Raises `OSError`.

    Only descriptors that came from outside are inheritable (PEP 446), so it gets those and none of
    our own.
    """
    return subprocess.Popen(
        argv, stdin=stdin, stdout=stdout, stderr=stderr, env=env,
        close_fds=False, preexec_fn=_as_given(),
    )  # fmt: skip


def given_environment() -> dict[str, str]:
    """The environment we were started with. Python itself adds to it where no locale is set
    (PEP 538), which a command would see.
    """
    try:
        block = Path("/proc/self/environ").read_bytes()
    except OSError:
        return dict(os.environ)
    given: dict[str, str] = {}
    for entry in block.split(b"\0"):
        name, equals, value = entry.partition(b"=")
        if equals:
            given.setdefault(os.fsdecode(name), os.fsdecode(value))
    return given


def _as_given() -> Callable[[], object] | None:
    """What a new child does first: it undoes what we blocked for ourselves, and has the kernel kill
    it with us. None where there are no such things.
    """
    if not sys.platform.startswith("linux"):
        return None
    try:
        prctl = ctypes.CDLL(None).prctl
    except (OSError, AttributeError):
        return lambda: signal.pthread_sigmask(signal.SIG_SETMASK, _GIVEN_MASK)

    def begin() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.pthread_sigmask(signal.SIG_SETMASK, _GIVEN_MASK)

    return begin
