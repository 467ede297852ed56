"""Real sessions as raw records: the library's, and the captures in a folder that is named."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from turnreel.adapters import registry
from turnreel.cassettes import open_cassette
from turnreel.cassettes.records import UNIT_CODES, unit_of
from turnreel.sanitizers import Clean, Policy, Raw
from turnreel.wire.units import BodyFraming, JsonUnit, LineFraming, SseFraming, TextUnit, TornUnit

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
    raws = []
    for record in cassette:
        fields = record.data if isinstance(record.data, dict) else {}
        body = unit_of(record) if record.code in UNIT_CODES else fields
        raws.append(Raw(record.at_us, record.track, record.code, body, record.exchange))
    return Session(path.name, _policies(dialects), tuple(raws))


def _capture(path: Path) -> Session:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    dialect, provider = _dialects(path)
    raws = [raw for line in lines[1:] for raw in _captured(line)]
    return Session(path.name, _policies({"agent": dialect, "provider": provider}), tuple(raws))


def _dialects(path: Path) -> tuple[str, str]:
    agent = path.parent.name.split("-")[0]
    if agent == "claude":
        return "claude-stream-json", "anthropic-messages"
    if agent == "codex":
        return ("codex-exec" if "_exec" in path.stem else "codex-app-server"), "openai-responses"
    return f"hermes-{path.stem.split('_')[1]}", "openai-chat"


def _captured(line: dict[str, Any]) -> Iterator[Raw]:
    side = line.get("dir")
    if side in ("in", "out", "err"):
        for text in str(line.get("text", "")).splitlines():
            yield Raw(0, "agent", side, _unit(text))
    elif side == "provider":
        told = line.get("sse") or line.get("frame") or line.get("response") or line.get("request")
        if isinstance(told, dict):
            value = told.get("data", told)
            number = told.get("n")
            exchange = number if isinstance(number, int) else 1
            framing = SseFraming(event=str(told.get("event", "message")))
            yield Raw(0, "provider", "data", JsonUnit(value, framing), exchange)


def _unit(text: str) -> JsonUnit | TextUnit:
    body = text.removeprefix("data: ")
    if body[:1] in ("{", "["):
        try:
            return JsonUnit(json.loads(body), LineFraming() if body == text else BodyFraming())
        except ValueError:
            pass
    return TextUnit(text, LineFraming())
