"""What agents keep of a session on the disk of their user, and where: one entry an agent.

Asked when the agent's own stream cannot be had (a session at a terminal) and when it broke off.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from . import rollouts, transcripts
from .errors import RecorderError
from .rows import Form, Row, line
from .sink import Sink

FILES_LIMIT: Final = 8
"""Sessions looked at after a recording, the latest: one run of an agent has one, or a few."""

Reading = Callable[[Form, Path, float], Iterable[Row]]
"""Rows of a file that were kept since a moment of the wall clock: all, or those at its end."""


class Kept(msgspec.Struct, frozen=True):
    """How an agent keeps its sessions: in which form; `files` finds, in an environment, those
    written to since a moment, the oldest first.
    """

    form: Form
    files: Callable[[Mapping[str, str], float], Iterator[Path]]

    def tell(self, sink: Sink, env: Mapping[str, str], since: float, reading: Reading) -> None:
        """Tell `sink` what was kept since then, on a track of its own. Never raises for a file that
        cannot be read: another session may be writing it.
        """
        for path in [*self.files(env, since)][-FILES_LIMIT:]:
            with contextlib.suppress(RecorderError):
                for row in reading(self.form, path, since):
                    sink.chunk(self.form.track.id, "data", line(row))
        sink.over(self.form.track.id, "data")


def transcript_files(env: Mapping[str, str], since: float) -> Iterator[Path]:
    """Claude's transcripts of sessions in this folder that were written to since then."""
    home = env.get("CLAUDE_CONFIG_DIR") or Path(env.get("HOME", "/"), ".claude")
    folder = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(Path.cwd()))
    return _written(Path(home, "projects", folder).glob("*.jsonl"), since)


def rollout_files(env: Mapping[str, str], since: float) -> Iterator[Path]:
    """Codex' rollouts that were written to since then."""
    home = env.get("CODEX_HOME") or Path(env.get("HOME", "/"), ".codex")
    return _written(Path(home, "sessions").glob("*/*/*/rollout-*.jsonl"), since)


def _written(paths: Iterable[Path], since: float) -> Iterator[Path]:
    times: list[tuple[float, Path]] = []
    for path in paths:
        with contextlib.suppress(OSError):  # gone since it was found
            times.append((path.stat().st_mtime, path))
    return (path for time, path in sorted(times) if time >= since)


KEPT: Final[dict[str, Kept]] = {
    "claude": Kept(transcripts.FORM, transcript_files),
    "codex": Kept(rollouts.FORM, rollout_files),
}
"""By the agent's name."""
