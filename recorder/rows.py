"""Files that an agent keeps of a session on its user's disk: rows of JSON, one a line.

Such a file becomes a track of its own and no turn. It is read twice, so that nothing is written
before all of it was understood.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from turnreel.cassettes import Existing, Origin, TrackSpec
from turnreel.sanitizers import OpinionName, Profile, Raw
from turnreel.wire.json_style import NotJson, load
from turnreel.wire.units import JsonUnit, LineFraming

from .agents import agent_info
from .errors import RecorderError
from .knowledge import known_secrets
from .landing import Landing
from .messages import Plan, Sealed
from .project_policy import ProjectPolicy

LINE_LIMIT: Final = 64 << 20
TAIL_BYTES: Final = 4 << 20
"""How much of a file's end is looked at for how it ends."""

_ZSTD: Final = b"\x28\xb5\x2f\xfd"

Row = dict[str, Any]


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent keeps: `name` what a person calls it, `kept` the types of rows that are more
    than their type, `version` what a row says of the agent's, `names_session` whether it names one,
    `ending` those of a file's rows that tell how it ends.
    """

    name: str
    track: TrackSpec
    agent: str
    kept: frozenset[str]
    version: Callable[[Row], Any]
    names_session: Callable[[Row], bool]
    ending: Callable[[Iterator[Row]], Iterable[Row]]
    lacks: tuple[str, ...]
    where: str

    def error(self, path: Path, what: str, number: int | None = None) -> RecorderError:
        """A file that cannot be read as one of these."""
        place = path if number is None else f"{path}:{number}"
        return RecorderError(f"{place}: {what}", self.where)


def import_rows(
    form: Form,
    path: Path,
    target: Path,
    *,
    profile: Profile = "strict",
    existing: Existing = Existing.REFUSE,
    policy: ProjectPolicy | None = None,
    opinions: tuple[OpinionName, ...] = (),
) -> Sealed:
    """Make a sealed cassette of the file at `path`, packed or not: one track, no runs.

    The same file gives the same cassette, its id included. A row that has no time, or an earlier
    one, gets that of the row before it. Raises `RecorderError`: not such a file, a bad line;
    `CassetteError`: the target exists or cannot be written.
    """
    version = _version(form, path)
    landing = Landing(
        Plan(
            target=str(target),
            replaces=existing is Existing.REPLACE,
            agent=agent_info(form.agent, version),
            tracks=(form.track,),
            profile=profile,
            origin=Origin(kind="imported", source=form.name),
            known=known_secrets(os.environ),
            lacks=form.lacks,
            policy=policy or ProjectPolicy(),
            opinions=opinions,
        )
    )
    try:
        landing.land(_raws(form, path))
        return landing.seal()
    except BaseException:
        landing.discard()
        raise


def kept_rows(form: Form, path: Path, since: float) -> Iterator[Row]:
    """The rows that were kept since that moment of the wall clock, and that are more than their
    type. Raises `RecorderError` for what is no such file.
    """
    return (row for _, row in rows(form, path) if row["type"] in form.kept and is_since(row, since))


def last_rows(form: Form, path: Path, since: float) -> Iterable[Row]:
    """Those of the rows that were kept since then that tell how the file ends. Raises
    `RecorderError` for a file that cannot be read.
    """
    return form.ending(row for row in tail(form, path) if is_since(row, since))


def is_since(row: Row, since: float) -> bool:
    """Whether a row has a time, and one after that moment of the wall clock."""
    moment = moment_of(row)
    return moment is not None and moment >= datetime.fromtimestamp(since, UTC)


def line(row: Row) -> bytes:
    """A row as an edge tells it."""
    return msgspec.json.encode(row) + b"\n"


def tail(form: Form, path: Path) -> Iterator[Row]:
    """The rows at the end of the file that can be read: what is cut on either side is none. Raises
    `RecorderError` for a file that cannot be read.
    """
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL_BYTES))
            lines = file.read(TAIL_BYTES).split(b"\n")
    except OSError as error:
        raise form.error(path, (error.strerror or "cannot be read").lower()) from None
    for text in lines:
        with contextlib.suppress(NotJson):
            row = load(text)
            if isinstance(row, dict):
                yield row


def rows(form: Form, path: Path) -> Iterator[tuple[int, Row]]:
    """The rows of the file, bounded, with their line from 1. A last one that was cut is none.
    Raises `RecorderError` for what is no such file.
    """
    try:
        with path.open("rb") as file, _plain(file) as plain:
            number = 0
            while text := plain.readline(LINE_LIMIT + 1):
                number += 1
                if len(text) > LINE_LIMIT:
                    raise form.error(path, f"is longer than a {form.name}'s line may be", number)
                if text.strip() and text.endswith(b"\n"):
                    yield number, _row(form, path, number, text)
    except OSError as error:
        raise form.error(path, (error.strerror or "cannot be read").lower()) from None


def moment_of(row: Row) -> datetime | None:
    """When a row says that it was kept."""
    try:
        moment = msgspec.convert(row.get("timestamp"), datetime)
    except msgspec.ValidationError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _plain(file: IO[bytes]) -> contextlib.AbstractContextManager[IO[bytes]]:
    """The file's own bytes, or what they unpack to, on the way."""
    head = file.read(len(_ZSTD))
    file.seek(0)
    if head != _ZSTD:
        return contextlib.nullcontext(file)
    import io

    import zstandard

    unpacked = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(
        file, read_across_frames=True
    )
    return io.BufferedReader(unpacked)


def _raws(form: Form, path: Path) -> Iterator[Raw]:
    began: datetime | None = None
    at_us = 0
    for _, row in rows(form, path):
        moment = moment_of(row)
        if moment is not None:
            began = began or moment
            at_us = max(at_us, round((moment - began).total_seconds() * 1_000_000))
        kept = row if row["type"] in form.kept else {"type": row["type"]}
        yield Raw(at_us, form.track.id, "data", JsonUnit(kept, LineFraming()))


def _version(form: Form, path: Path) -> str | None:
    """The agent's version as the first row that names one does; every row is looked at."""
    version: str | None = None
    sessions = 0
    for _, row in rows(form, path):
        sessions += form.names_session(row)
        said = form.version(row)
        version = version or (said if isinstance(said, str) else None)
    if not sessions:
        raise form.error(path, "names no session")
    return version


def _row(form: Form, path: Path, number: int, text: bytes) -> Row:
    try:
        row = load(text)
    except NotJson:
        raise form.error(path, "is not JSON", number) from None
    if not isinstance(row, dict) or not isinstance(row.get("type"), str):
        raise form.error(path, f"is no row of a {form.name}", number)
    return row
