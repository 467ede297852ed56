"""A session of Claude Code in memory: what it prints and what its host writes, as one transcript.

Tests say the lines and read the runs back as a person sees them, one line an entry.
"""

from __future__ import annotations

import pytest

from turnreel.adapters.anthropic_messages import builders as provider
from turnreel.adapters.base import Edge, Frame
from turnreel.adapters.claude_stream_json.adapter import ADAPTER
from turnreel.adapters.claude_stream_json.builders import Printer
from turnreel.adapters.steps import Block
from turnreel.adapters.translator import Translator
from turnreel.lifecycle.events import AnyEvent
from turnreel.lifecycle.fold import (
    ActivityEntry,
    CommentaryEntry,
    Entry,
    GateEntry,
    HealthEntry,
    PlanEntry,
    RunView,
    fold,
)
from turnreel.lifecycle.signals import AnySignal, Exited, Message, Unreconciled
from turnreel.wire.units import BodyFraming, Json, JsonUnit, LineFraming, TextUnit, Unit


class Session:
    """Feeds the real adapter through the real translator."""

    def __init__(self) -> None:
        self.cli = Printer()
        self.translator = Translator({"agent": ADAPTER}, session="s", agent="claude")
        self.events: list[AnyEvent] = []
        self._number = 0

    def prints(self, *lines: Json) -> Session:
        for line in lines:
            self._frame("out", JsonUnit(line, LineFraming()))
        return self

    def prints_text(self, text: str) -> Session:
        self._frame("out", TextUnit(text, LineFraming()))
        return self

    def hears(self, *lines: Json) -> Session:
        for line in lines:
            self._frame("in", JsonUnit(line, LineFraming()))
        return self

    def hangs_up(self) -> Session:
        self._frame("eof", JsonUnit({"stream": "stdin"}, BodyFraming()))
        return self

    def edge(self, *signals: AnySignal) -> Session:
        for signal in signals:
            self._number += 1
            arrival = Edge("host", self._number, self._number * 1000, signal)
            self.events += self.translator.feed(arrival)
        return self

    def asked(self) -> Session:
        """The prompt came on the command line, and the CLI has begun."""
        return self.edge(Message(via="argv")).prints(self.cli.init())

    def exits(self, code: int | None = 0, killed_by: str | None = None) -> Session:
        return self.edge(Exited(code=code, killed_by=killed_by), Unreconciled())

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

    def _frame(self, code: str, unit: Unit) -> None:
        self._number += 1
        frame = Frame("agent", code, self._number, self._number * 1000, unit)  # type: ignore[arg-type]
        self.events += self.translator.feed(frame)

    @property
    def runs(self) -> list[list[str]]:
        """Every main-thread run, an entry a line, children after their parent's entries."""
        return [transcript(view) for view in fold(self.events)]

    @property
    def run(self) -> list[str]:
        (only,) = self.runs
        return only

    @property
    def noted(self) -> dict[str, int]:
        return dict(self.translator.counts)


def transcript(view: RunView) -> list[str]:
    lines = [entry(one) for one in view.entries]
    for child in view.children:
        lines += [f"  {line}" for line in transcript(child)]
    end = view.terminal
    if end is None:
        return [*lines, "open"]
    told = f'{end.type} "{end.text}"' if end.type in ("final", "needs_input") else end.type
    return [*lines, " ".join(filter(None, (told, end.code, end.health)))]


def entry(one: Entry) -> str:
    match one:
        case CommentaryEntry(text=text):
            return f"said {text}"
        case ActivityEntry(name=name, kind=kind, state=state):
            return f"{name} {kind} {state}"
        case GateEntry(kind=kind, resolution=resolution):
            return f"gate {kind} {resolution}"
        case HealthEntry(state=state, code=code):
            return f"{state} {code}"
        case PlanEntry(items=items):
            return "plan " + ", ".join(f"{item.text} {item.state}" for item in items)
        case _:
            return type(one).__name__


@pytest.fixture
def session() -> Session:
    return Session()
