"""Import of transcripts: what an agent keeps of a session on its user's disk.

It becomes a track of its own and no turn: a transcript says neither when a turn began nor how it
ended. The file is read twice, so that nothing is written before all of it was understood.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from turnreel.adapters.claude_transcript.policy import KEPT
from turnreel.cassettes import Existing, Origin, TrackSpec
from turnreel.sanitizers import Profile, Raw
from turnreel.wire.json_style import NotJson, load
from turnreel.wire.units import JsonUnit, LineFraming

from .agents import agent_info
from .errors import RecorderError
from .knowledge import known_secrets
from .landing import Landing
from .messages import Plan, Sealed
from .project_policy import ProjectPolicy

TRANSCRIPT: Final = "transcript"
DIALECT: Final = "claude-transcript"
LINE_LIMIT: Final = 64 << 20
TAIL_BYTES: Final = 4 << 20
"""How much of a transcript's end is looked at for its last message."""

LACKS: Final = (
    "turns: a transcript begins and ends none",
    "attachments, requests and what else the agent keeps for itself",
    "what was streamed: rows are written when a block was whole",
)


def import_transcript(
    path: Path,
    target: Path,
    *,
    profile: Profile = "strict",
    existing: Existing = Existing.REFUSE,
    policy: ProjectPolicy | None = None,
) -> Sealed:
    """Make a sealed cassette of the transcript at `path`: one track, no runs.

    The same transcript gives the same cassette, its id included. A row that has no time, or an
    earlier one, gets that of the row before it. Raises `RecorderError`: no transcript, a bad line;
    `CassetteError`: the target exists or cannot be written.
    """
    version = _version(path)
    landing = Landing(
        Plan(
            target=str(target),
            replaces=existing is Existing.REPLACE,
            agent=agent_info("claude", version),
            tracks=(TrackSpec(id=TRANSCRIPT, carrier="host", dialect=DIALECT),),
            profile=profile,
            origin=Origin(kind="imported", source="transcript"),
            known=known_secrets(os.environ),
            lacks=LACKS,
            policy=policy or ProjectPolicy(),
        )
    )
    try:
        landing.land(_raws(path))
        return landing.seal()
    except BaseException:
        landing.discard()
        raise


def kept_rows(path: Path, since: float) -> Iterator[bytes]:
    """The lines of the rows that were kept since that moment of the wall clock, and that are more
    than their type. Raises `RecorderError` for what is no transcript.
    """
    begin = datetime.fromtimestamp(since, UTC)
    for _, row in _rows(path):
        moment = _moment(row.get("timestamp"))
        if row["type"] in KEPT and moment is not None and moment >= begin:
            yield msgspec.json.encode(row) + b"\n"


def last_rows(path: Path, since: float) -> Iterator[bytes]:
    """The lines of the rows that the transcript ends with, as far as they are the model's and were
    kept since then: the last message, in whole or in part. Raises `RecorderError` for a file that
    cannot be read.
    """
    begin = datetime.fromtimestamp(since, UTC)
    last: list[dict[str, Any]] = []
    for row in _tail(path):
        moment = _moment(row.get("timestamp"))
        said = row.get("message")
        if row.get("type") not in ("user", "assistant") or moment is None or moment < begin:
            continue
        message = said.get("id") if isinstance(said, dict) else None
        if last and (message is None or last[-1]["message"]["id"] != message):
            last = []
        if message is not None:
            last.append(row)
    yield from (msgspec.json.encode(row) + b"\n" for row in last)


def _tail(path: Path) -> Iterator[dict[str, Any]]:
    """The rows at the end of the file that can be read: what is cut on either side is none."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL_BYTES))
            lines = file.read(TAIL_BYTES).split(b"\n")
    except OSError as error:
        raise _error(path, (error.strerror or "cannot be read").lower()) from None
    for line in lines:
        with contextlib.suppress(NotJson):
            row = load(line)
            if isinstance(row, dict):
                yield row


def _raws(path: Path) -> Iterator[Raw]:
    began: datetime | None = None
    at_us = 0
    for _, row in _rows(path):
        moment = _moment(row.get("timestamp"))
        if moment is not None:
            began = began or moment
            at_us = max(at_us, round((moment - began).total_seconds() * 1_000_000))
        kept = row if row["type"] in KEPT else {"type": row["type"]}
        yield Raw(at_us, TRANSCRIPT, "data", JsonUnit(kept, LineFraming()))


def _version(path: Path) -> str | None:
    """The agent's version as the first row that names one does; every row is looked at."""
    version: str | None = None
    sessions = 0
    for _, row in _rows(path):
        sessions += isinstance(row.get("sessionId"), str)
        said = row.get("version")
        version = version or (said if isinstance(said, str) else None)
    if not sessions:
        raise _error(path, "names no session")
    return version


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of the file, bounded, with their line from 1. A last one that was cut is none."""
    try:
        with path.open("rb") as file:
            number = 0
            while text := file.readline(LINE_LIMIT + 1):
                number += 1
                if len(text) > LINE_LIMIT:
                    raise _error(path, "is longer than a transcript's line may be", number)
                if not text.strip() or not text.endswith(b"\n"):
                    continue
                yield number, _row(path, number, text)
    except OSError as error:
        raise _error(path, (error.strerror or "cannot be read").lower()) from None


def _row(path: Path, number: int, text: bytes) -> dict[str, Any]:
    try:
        row = load(text)
    except NotJson:
        raise _error(path, "is not JSON", number) from None
    if not isinstance(row, dict) or not isinstance(row.get("type"), str):
        raise _error(path, "is no row of a transcript", number)
    return row


def _moment(said: object) -> datetime | None:
    try:
        moment = msgspec.convert(said, datetime)
    except msgspec.ValidationError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _error(path: Path, what: str, number: int | None = None) -> RecorderError:
    place = path if number is None else f"{path}:{number}"
    return RecorderError(
        f"{place}: {what}", "transcripts are under ~/.claude/projects, one file a session"
    )
