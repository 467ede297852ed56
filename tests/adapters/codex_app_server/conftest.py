"""A session of the app-server in memory: what it prints and what its host writes, as one
transcript. Tests say the lines and read the runs back as a turn file.
"""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.adapters.stdio import StdioSession
from turnreel.adapters.codex_app_server import builders, commands
from turnreel.adapters.codex_app_server.adapter import ADAPTER
from turnreel.adapters.codex_app_server.builders import Server
from turnreel.cassettes.turnfile import render_turns
from turnreel.lifecycle.events import Commentary
from turnreel.lifecycle.fold import fold
from turnreel.wire.units import Json


class Session(StdioSession):
    """Feeds the real adapter through the real translator. `server` is its main thread."""

    def __init__(self) -> None:
        super().__init__(ADAPTER)
        self.server = Server()
        self._requests = 0

    def asked(self) -> Session:
        """The host started a turn, and the agent accepted it and began."""
        self._requests += 1
        request = 100 + self._requests
        self.hears(commands.message(request, self.server.thread, "Go."))
        self.server.next_turn()
        return self.prints(self.server.accepted(request), self.server.begun())

    def says(self, item: str, text: str, phase: str | None, *pieces: str) -> Session:
        """A whole text, with its deltas."""
        self.opens(item, phase, *(pieces or (text,)))
        return self.prints(self.server.completed(builders.message(item, text, phase)))

    def opens(self, item: str, phase: str | None, *pieces: str) -> Session:
        """A text that begins, and is not complete yet."""
        self.prints(self.server.started(builders.message(item, "", phase)))
        return self.prints(*(self.server.delta(item, piece) for piece in pieces))

    def runs_tool(
        self, item: str, status: str = "completed", kind: str = "commandExecution"
    ) -> Session:
        opened = builders.tool(item, kind, "inProgress")
        closed = builders.tool(item, kind, status, exitCode=0)
        return self.prints(self.server.started(opened), self.server.completed(closed))

    def breaks(self, info: Json = builders.DISCONNECTED) -> Session:
        """The runtime will ask again."""
        error = builders.words(info, "Reconnecting... 1/5")
        return self.prints(self.server.error(error, retries=True))

    def fails(self, info: Json, sentence: str = "scripted") -> Session:
        error = builders.words(info, sentence)
        self.prints(self.server.error(error, retries=False))
        return self.prints(self.server.ended("failed", error=error))

    def completes(self, item: str | None = None, text: str = "", **fields: Json) -> Session:
        """The turn completes; the summary names a message, or none."""
        phase = fields.pop("phase", "final_answer")
        named = None
        if item is not None:
            named = builders.message(item, text, str(phase) if phase else None, **fields)
        return self.prints(self.server.usage(), self.server.ended("completed", named))

    @property
    def turns(self) -> str:
        return render_turns(fold(self.events)).replace('"', "'")

    def shows(self, expected: str) -> None:
        """The runs are these, as a turn file, with simple quotation marks."""
        assert self.turns == dedent(expected).lstrip("\n")

    @property
    def commentary(self) -> list[tuple[str, int, int, str, bool]]:
        """What readers got of commentary, event by event."""
        return [
            (e.message_id[4:], e.revision, e.offset, e.text, e.done)
            for e in self.events
            if isinstance(e, Commentary)
        ]


@pytest.fixture
def session() -> Session:
    return Session()
