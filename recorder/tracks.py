"""The tracks of a recorded session."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.translator import EDGE_DIALECT
from turnreel.cassettes import TrackSpec

from .agents import Spoken

AGENT: Final = "agent"
PROVIDER: Final = "provider"
HOST: Final = "host"


def session_tracks(spoken: Spoken, provider: str | None) -> tuple[TrackSpec, ...]:
    """The agent's track, its provider's if that one was listened to and speaks the dialect
    `provider`, and the host's.
    """
    agent = TrackSpec(id=AGENT, carrier="stdio", dialect=spoken.dialect)
    host = TrackSpec(id=HOST, carrier="host", dialect=EDGE_DIALECT)
    if provider is None:
        return agent, host
    return agent, TrackSpec(id=PROVIDER, carrier="http", dialect=provider), host
