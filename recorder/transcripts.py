"""Transcripts: what Claude Code keeps of a session.

A transcript says neither when a turn began nor how it ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from turnreel.adapters.claude_transcript.policy import KEPT
from turnreel.cassettes import TrackSpec

from .rows import Form, Row, import_rows


def _ending(rows: Iterator[Row]) -> list[Row]:
    """The rows of the model's last message, in whole or in part, if nothing else came after it."""
    last: list[Row] = []
    for row in rows:
        if row.get("type") not in ("user", "assistant"):
            continue
        said = row.get("message")
        message = said.get("id") if isinstance(said, dict) else None
        if last and (message is None or last[-1]["message"]["id"] != message):
            last = []
        if message is not None:
            last.append(row)
    return last


FORM: Final = Form(
    name="transcript",
    track=TrackSpec(id="transcript", carrier="host", dialect="claude-transcript"),
    agent="claude",
    kept=KEPT,
    version=lambda row: row.get("version"),
    names_session=lambda row: isinstance(row.get("sessionId"), str),
    ending=_ending,
    lacks=(
        "turns: a transcript begins and ends none",
        "attachments, requests and what else the agent keeps for itself",
        "what was streamed: rows are written when a block was whole",
    ),
    where="transcripts are under ~/.claude/projects, one file a session",
)

import_transcript: Final = partial(import_rows, FORM)
"""`rows.import_rows` of a transcript."""
