"""A session at a terminal: the agent draws for a person, and nothing of that is recorded.

What is drawn is no record of what was said: control codes, redrawn lines, keys. So the agent gets
the terminal itself, untouched, and its session is told by its provider's track and by what it
keeps of the session on the disk (`kept`).
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Mapping, Sequence

from .descriptors import is_terminal
from .errors import RecorderError
from .exits import ExitStatus, exit_of
from .signals import caught
from .spawning import spawned


def require_terminal() -> None:
    """Raises `RecorderError` unless standard input and output are a terminal."""
    if not (is_terminal(0) and is_terminal(1)):
        raise RecorderError(
            "--pty is for a session at a terminal, and there is none",
            "record without it: the agent's own stream says more",
        )


async def beside(argv: Sequence[str], env: Mapping[str, str]) -> ExitStatus:
    """Run `argv` on our own standard streams, of which nothing is recorded, until it ended. Signals
    for us are its signals. Raises `RecorderError` if it cannot be started.
    """
    process: subprocess.Popen[bytes] | None = None
    early: list[signal.Signals] = []

    def forward(number: signal.Signals, is_shared: bool) -> None:
        if is_shared:
            return
        if process is None:
            early.append(number)
        else:
            process.send_signal(number)

    with caught(forward):
        try:
            process = spawned(argv, env)
        except OSError as error:
            raise RecorderError(
                f"cannot run {argv[0]}: {error.strerror}", "check the command after --"
            ) from None
        for number in early:
            process.send_signal(number)
        return ExitStatus.of(await exit_of(process))
