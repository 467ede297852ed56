"""Transcripts: what Claude Code keeps of a session.

A transcript says neither when a turn began nor how it ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from turnreel.adapters.claude_transcript.policy import KEPT
from turnreel.cassettes import Existing, TrackSpec
from turnreel.sanitizers import OpinionName, Profile

from . import rows
from .messages import Sealed
from .project_policy import ProjectPolicy
from .rows import Form, Row

FORM: Final = Form(
    name="transcript",
    track=TrackSpec(id="transcript", carrier="host", dialect="claude-transcript"),
    agent="claude",
    kept=KEPT,
    version=lambda row: row.get("version"),
    names_session=lambda row: isinstance(row.get("sessionId"), str),
    lacks=(
        "turns: a transcript begins and ends none",
        "attachments, requests and what else the agent keeps for itself",
        "what was streamed: rows are written when a block was whole",
    ),
    where="transcripts are under ~/.claude/projects, one file a session",
)


def import_transcript(
    path: Path,
    target: Path,
    *,
    profile: Profile = "strict",
    existing: Existing = Existing.REFUSE,
    policy: ProjectPolicy | None = None,
    opinions: tuple[OpinionName, ...] = (),
) -> Sealed:
    """`rows.import_rows` of a transcript."""
    return rows.import_rows(
        FORM, path, target, profile=profile, existing=existing, policy=policy, opinions=opinions
    )


def kept_rows(path: Path, since: float) -> Iterator[bytes]:
    """The lines of `rows.kept_rows`."""
    return map(rows.line, rows.kept_rows(FORM, path, since))


def last_rows(path: Path, since: float) -> Iterator[bytes]:
    """The lines of the rows that the transcript ends with, as far as they are the model's and were
    kept since then: the last message, in whole or in part. Raises `RecorderError` for a file that
    cannot be read.
    """
    last: list[Row] = []
    for row in rows.tail(FORM, path):
        said = row.get("message")
        if row.get("type") not in ("user", "assistant") or not rows.is_since(row, since):
            continue
        message = said.get("id") if isinstance(said, dict) else None
        if last and (message is None or last[-1]["message"]["id"] != message):
            last = []
        if message is not None:
            last.append(row)
    return map(rows.line, last)
