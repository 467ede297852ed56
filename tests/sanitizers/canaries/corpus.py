"""Real sessions as raw records: the library's, and the captures in a folder that is named."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from turnreel.adapters import registry
from turnreel.cassettes import Existing, open_cassette
from turnreel.recorder.captures import Capture
from turnreel.recorder.sanitizing import raws
from turnreel.sanitizers import Clean, Policy, Raw
from turnreel.wire.units import JsonUnit, SseFraming, TextUnit, TornUnit

from .oracle import Record

LIBRARY: Final = Path(__file__).parents[3] / "cassettes" / "library"
CAPTURES: Final = os.environ.get("TURNREEL_CAPTURES", "")
"""A folder of captures, to be walked as well."""


class Session(NamedTuple):
    """A session's raw records, and the policies of its tracks."""

    name: str
    policies: dict[str, Policy]
    raws: tuple[Raw, ...]


@cache
def sessions() -> tuple[Session, ...]:
    """All of them."""
    found = [_cassette(path) for path in sorted(LIBRARY.rglob("*.cassette.jsonl"))]
    for path in sorted(Path(CAPTURES).rglob("[!_]*.jsonl")) if CAPTURES else ():
        found.append(_capture(path))
    return tuple(found)


def as_record(record: Raw | Clean) -> Record:
    """What the oracle reads: everything of a record that would be written."""
    match record.body:
        case JsonUnit(value, framing):
            body: Any = value
            if isinstance(framing, SseFraming):
                body = {"event": value, "name": framing.event, "id": framing.id}
        case TextUnit(text):
            body = text
        case TornUnit():
            body = ""
        case fields:
            body = fields
    return record.track, record.code, record.exchange, body


def _policies(dialects: dict[str, str]) -> dict[str, Policy]:
    known = registry.dialects()
    return {track: registry.policy(name) for track, name in dialects.items() if name in known}


def _cassette(path: Path) -> Session:
    cassette = open_cassette(path)
    dialects = {track.id: track.dialect for track in cassette.header.tracks}
    return Session(path.name, _policies(dialects), tuple(raws(cassette)))


def _capture(path: Path) -> Session:
    capture = Capture(path)
    plan = capture.plan(path, "fixture", Existing.REFUSE)
    dialects = {track.id: track.dialect for track in plan.tracks}
    return Session(path.name, _policies(dialects), tuple(capture.raws()))
