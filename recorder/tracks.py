"""The tracks of a recorded session."""

from __future__ import annotations

from typing import Final

from turnreel.adapters import registry
from turnreel.adapters.translator import EDGE_DIALECT
from turnreel.cassettes import TrackSpec
from turnreel.cassettes.header import Carrier

from .agents import NO_DIALECT, Spoken
from .kept import KEPT

AGENT: Final = "agent"
PROVIDER: Final = "provider"
HOST: Final = "host"


def session_tracks(
    spoken: Spoken, provider: str | None, carrier: Carrier = "http"
) -> tuple[TrackSpec, ...]:
    """The agent's track, its provider's if that one was listened to and speaks the dialect
    `provider` over `carrier`, and the host's.
    """
    agent = TrackSpec(id=AGENT, carrier=_carrier(spoken.dialect), dialect=spoken.dialect)
    host = TrackSpec(id=HOST, carrier="host", dialect=EDGE_DIALECT)
    if provider is None:
        return agent, host
    return agent, TrackSpec(id=PROVIDER, carrier=carrier, dialect=provider), host


def recorded_tracks(spoken: Spoken, provider: str | None) -> tuple[TrackSpec, ...]:
    """The same of a session being recorded: also what the agent keeps of it, where it keeps
    anything, since that tells how a turn ended whose stream was cut.
    """
    return *session_tracks(spoken, provider), *_kept(spoken)


def terminal_tracks(spoken: Spoken, provider: str | None) -> tuple[TrackSpec, ...]:
    """The tracks of a session at a terminal, where the agent's own stream is not listened to: its
    provider's, and what the agent keeps of the session.
    """
    kept = _kept(spoken)
    if provider is None:
        return kept
    return *kept, TrackSpec(id=PROVIDER, carrier="http", dialect=provider)


def _kept(spoken: Spoken) -> tuple[TrackSpec, ...]:
    kept = KEPT.get(spoken.agent)
    return () if kept is None else (kept.form.track,)


def _carrier(dialect: str) -> Carrier:
    """What carries a dialect; prose comes out of a process."""
    return "stdio" if dialect == NO_DIALECT else registry.adapter(dialect).info.carrier
