"""A cassette opened for playing."""

from __future__ import annotations

from pathlib import Path

import msgspec

from turnreel.cassettes import open_cassette

from .errors import ReplayError
from .exchanges import exchanges
from .script import AgentScript, Exchange, agent_script


class ProviderScript(msgspec.Struct, frozen=True):
    """A provider track's exchanges, by number."""

    track: str
    dialect: str
    exchanges: tuple[Exchange, ...]


class Tape(msgspec.Struct, frozen=True):
    """The scripts of one cassette: its providers' and its agent's. `name` is for people."""

    name: str
    agent: str = "unknown"
    agent_version: str = "unknown"
    providers: tuple[ProviderScript, ...] = ()
    acting: AgentScript | None = None

    def provider(self) -> ProviderScript:
        """The first provider with exchanges. Raises ReplayError if there is none."""
        for script in self.providers:
            if script.exchanges:
                return script
        raise ReplayError(
            f"{self.name} holds no provider exchanges", "record with --provider-url, or use shim"
        )

    def agent_script(self) -> AgentScript:
        """The agent's script. Raises ReplayError if the agent's side was not recorded."""
        if self.acting is None or not self.acting.acts:
            raise ReplayError(f"{self.name} holds no agent's stdio", "use serve for its provider")
        return self.acting


def load(path: Path) -> Tape:
    """The scripts of the cassette at `path`, all in memory. Raises CassetteError where the file is
    not readable or not whole.
    """
    cassette = open_cassette(path)
    header = cassette.header
    stdio = next((track for track in header.tracks if track.carrier == "stdio"), None)
    return Tape(
        name=path.name,
        agent=header.agent.name,
        agent_version=header.agent.version or "unknown",
        providers=tuple(
            ProviderScript(track.id, track.dialect, exchanges(cassette, track.id, track.dialect))
            for track in header.tracks
            if track.carrier in ("http", "websocket")
        ),
        acting=None if stdio is None else agent_script(cassette, stdio.id, stdio.dialect),
    )
