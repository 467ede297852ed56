"""Cassettes of what an edge told of exchanges with a provider."""

from __future__ import annotations

import json
from pathlib import Path

from tests.recorder.providers import PATH, asked
from turnreel.cassettes import AgentInfo, Origin, TrackSpec
from turnreel.recorder.interactions import intake_of
from turnreel.recorder.landing import Landing
from turnreel.recorder.messages import Asked, Captured, Chunk, Fact, Over, Plan
from turnreel.sanitizers import Raw
from turnreel.wire.units import Json

ORIGIN = "https://api.anthropic.com"
PROVIDER = TrackSpec(id="provider", carrier="http", dialect="anthropic-messages", endpoint=ORIGIN)


def exchange(number: int, *told: Captured, media_type: str = "text/event-stream") -> list[Captured]:
    """An exchange whose answer is `told`."""
    body = json.dumps(asked("red", stream=True)).encode()
    head: dict[str, Json] = {"status": 200, "headers": {"content-type": media_type}}
    return [
        Asked(number, "provider", number, "POST", PATH, {"x-api-key": "x"}, body),
        Fact(number, "provider", "response", number, head),
        *told,
    ]


def streamed(number: int, body: bytes, code: str = "end") -> list[Captured]:
    """An exchange whose stream ends with `code`."""
    return exchange(
        number,
        Chunk(number, "provider", "data", number, body),
        Over(number, "provider", "data", number),
        Fact(number, "provider", code, number, {"by": "upstream"} if code == "cut" else {}),
    )


def landed(
    folder: Path, *told: Captured | Raw, tracks: tuple[TrackSpec, ...] = (PROVIDER,)
) -> Path:
    """A cassette of what an edge told, or of records as they are."""
    target = folder / "session.cassette.jsonl"
    plan = Plan(
        target=str(target),
        replaces=False,
        agent=AgentInfo("client"),
        tracks=tracks,
        profile="fixture",
        origin=Origin(kind="recorded"),
    )
    landing, intake = Landing(plan), intake_of(plan.tracks)
    for message in told:
        landing.land([message] if isinstance(message, Raw) else intake.take(message))
    landing.seal()
    return target
