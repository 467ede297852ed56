"""A session of Claude Code in memory: what it prints and what its host writes, as one transcript.

Tests say the lines and read the runs back as a person sees them, one line an entry.
"""

from __future__ import annotations

import pytest

from tests.adapters.stdio import StdioSession
from tests.adapters.transcripts import transcript
from turnreel.adapters.anthropic_messages import builders as provider
from turnreel.adapters.claude_stream_json.adapter import ADAPTER
from turnreel.adapters.claude_stream_json.builders import Printer
from turnreel.adapters.steps import Block
from turnreel.lifecycle.fold import fold
from turnreel.lifecycle.signals import Message
from turnreel.wire.units import Json


class Session(StdioSession):
    """Feeds the real adapter through the real translator."""

    def __init__(self) -> None:
        super().__init__(ADAPTER)
        self.cli = Printer()

    def asked(self) -> Session:
        """The prompt came on the command line, and the CLI has begun."""
        return self.edge(Message(via="argv")).prints(self.cli.init())

    def says(self, message: str, *blocks: Block) -> Session:
        """A whole message as it is printed without partial messages: its completed blocks."""
        return self.prints(*(self.cli.block(message, block) for block in blocks))

    def streams(self, message: str, *blocks: Block, stop: str | None = "end_turn") -> Session:
        """A message with its start and its end, as partial messages show it."""
        self.prints(self.cli.event(message, provider.message_start(message)))
        self.says(message, *blocks)
        ends = provider.message_delta(stop), provider.message_stop()
        return self.prints(*(self.cli.event(message, end) for end in ends))

    def succeeds(self, text: str, **fields: Json) -> Session:
        return self.prints(self.cli.result(text, **fields))

    @property
    def runs(self) -> list[list[str]]:
        """Every main-thread run, an entry a line, children after their parent's entries."""
        return [transcript(view) for view in fold(self.events)]

    @property
    def run(self) -> list[str]:
        (only,) = self.runs
        return only


@pytest.fixture
def session() -> Session:
    return Session()
