"""A session at a terminal: the agent draws for a person, and nothing of that is recorded.

What is drawn is no record of what was said: control codes, redrawn lines, keys. So the agent gets
the terminal itself, untouched, and its session is told by its provider's track and by what it
keeps of the session on the disk (`adapters.claude_transcript`).
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from .descriptors import is_terminal
from .errors import RecorderError
from .exits import ExitStatus, exit_of
from .sink import Sink
from .spawning import spawned
from .transcripts import TRANSCRIPT, kept_rows

_BY_TERMINAL: Final = (signal.SIGINT, signal.SIGQUIT)
"""What keys send to the whole foreground group, the agent included: not to us."""

_FORWARDED: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)


def require_terminal() -> None:
    """Raises `RecorderError` unless standard input and output are a terminal."""
    if not (is_terminal(0) and is_terminal(1)):
        raise RecorderError(
            "--pty is for a session at a terminal, and there is none",
            "record without it: the agent's own stream says more",
        )


async def attended(
    argv: Sequence[str], sink: Sink, env: Mapping[str, str], since: float
) -> ExitStatus:
    """Run `argv` on our terminal until it ended, then tell `sink` the rows that it kept since the
    moment `since` (of the wall clock). Raises `RecorderError` if it cannot be started.
    """
    loop = asyncio.get_running_loop()
    try:
        process = spawned(argv, env)
    except OSError as error:
        raise RecorderError(
            f"cannot run {argv[0]}: {error.strerror}", "check the command after --"
        ) from None
    for number in _BY_TERMINAL:
        loop.add_signal_handler(number, lambda: None)
    for number in _FORWARDED:
        loop.add_signal_handler(number, process.send_signal, number)
    try:
        status = ExitStatus.of(await exit_of(process))
    finally:
        for number in (*_BY_TERMINAL, *_FORWARDED):
            loop.remove_signal_handler(number)
    for path in transcripts(env, since):
        with contextlib.suppress(RecorderError):  # being written by another session
            for row in kept_rows(path, since):
                sink.chunk(TRANSCRIPT, "data", row)
    sink.over(TRANSCRIPT, "data")
    return status


def transcripts(env: Mapping[str, str], since: float) -> Iterator[Path]:
    """The transcripts of sessions in this folder that were written to since then, oldest first."""
    home = env.get("CLAUDE_CONFIG_DIR") or Path(env.get("HOME", "/"), ".claude")
    folder = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(Path.cwd()))
    written = [
        (path.stat().st_mtime, path)
        for path in Path(home, "projects", folder).glob("*.jsonl")
        if path.stat().st_mtime >= since
    ]
    return (path for _, path in sorted(written))
