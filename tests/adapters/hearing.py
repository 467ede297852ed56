"""Agents heard through the real adapters and the real translator, as a person would see them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from turnreel.adapters import registry
from turnreel.adapters.base import Arrival, Edge, Frame
from turnreel.adapters.bodies import Answer, Event
from turnreel.adapters.hermes_acp import render as acp
from turnreel.adapters.hermes_chat import render as chat
from turnreel.adapters.hermes_responses import render as responses
from turnreel.adapters.hermes_runs import render as runs
from turnreel.adapters.hermes_session import render as session
from turnreel.adapters.hermes_tui import render as tui
from turnreel.adapters.steps import Script, Tell
from turnreel.adapters.translator import Translator
from turnreel.lifecycle.events import AnyEvent, InputRequested
from turnreel.lifecycle.fold import fold
from turnreel.lifecycle.signals import AnySignal, Closed, Unreconciled
from turnreel.wire.units import BodyFraming, JsonUnit, LineFraming, SseFraming, TextUnit, Unit

from .transcripts import transcript

HTTP: dict[str, Any] = {
    "hermes-session": session.answer,
    "hermes-runs": runs.answer,
    "hermes-chat": chat.answer,
    "hermes-responses": responses.answer,
}
STDIO: dict[str, Any] = {"hermes-tui": tui.lines, "hermes-acp": acp.lines}
SURFACES = (*HTTP, *STDIO)

Line = dict[str, Any]


class Hearing:
    """One recording on its way."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self.adapter = registry.adapter(dialect)
        self.translator = Translator(
            {"agent": self.adapter}, session="s", agent=self.adapter.info.agent
        )
        self.events: list[AnyEvent] = []
        self.arrivals: list[Arrival] = []

    def frame(self, code: Any, unit: Unit, exchange: int | None = None) -> Hearing:
        number = len(self.arrivals) + 1
        return self._feed(Frame("agent", code, number, number * 1000, unit, exchange))

    def edge(self, *signals: AnySignal) -> Hearing:
        for signal in signals:
            number = len(self.arrivals) + 1
            self._feed(Edge("host", number, number * 1000, signal))
        return self

    def asks(self, method: str, path: str, exchange: int = 1) -> Hearing:
        return self.frame("request", fields(method=method, path=path), exchange)

    def status(self, status: int, exchange: int = 1) -> Hearing:
        return self.frame("response", fields(status=status), exchange)

    def streams(self, *events: Event, exchange: int = 1) -> Hearing:
        for event in events:
            framing = SseFraming(event.name)
            if isinstance(event.data, str):
                self.frame("data", TextUnit(event.data, framing), exchange)
            else:
                self.frame("data", JsonUnit(event.data, framing), exchange)
        return self

    def streams_text(self, text: str, exchange: int = 1) -> Hearing:
        """An event, or a comment, that is no JSON."""
        return self.frame("data", TextUnit(text, SseFraming()), exchange)

    def answers(self, answer: Answer, exchange: int = 1) -> Hearing:
        self.asks(answer.method, answer.path, exchange).status(200, exchange)
        for event in answer.events:
            if isinstance(event, Tell):
                self.edge(event.signal)
            else:
                self.streams(event, exchange=exchange)
        return self

    def ends(self, exchange: int = 1) -> Hearing:
        return self.frame("end", fields(), exchange).edge(Closed(), Unreconciled())

    def prints(self, *lines: Line) -> Hearing:
        for line in lines:
            self.frame("out", JsonUnit(line, LineFraming()))
        return self

    def says(self, code: Any, text: str) -> Hearing:
        """A line that is no JSON."""
        return self.frame(code, TextUnit(text, LineFraming()))

    def writes(self, *lines: Line) -> Hearing:
        for line in lines:
            self.frame("in", JsonUnit(line, LineFraming()))
        return self

    def plays(self, script: Script) -> Hearing:
        """A rendered script. Raises `Unsayable`."""
        if self.dialect in HTTP:
            return self.answers(HTTP[self.dialect](script))
        for side, line in STDIO[self.dialect](script):
            (self.writes if side == "in" else self.prints)(line)
        return self

    def again(self, one: Arrival) -> Hearing:
        """An arrival, numbered anew."""
        if isinstance(one, Frame):
            return self.frame(one.code, one.unit, one.exchange)
        return self.edge(one.signal)

    @property
    def prompts(self) -> list[str]:
        return [event.prompt for event in self.events if isinstance(event, InputRequested)]

    @property
    def noted(self) -> dict[str, int]:
        return dict(self.translator.counts)

    @property
    def runs(self) -> list[list[str]]:
        return [transcript(view) for view in fold(self.events)]

    @property
    def run(self) -> list[str]:
        (only,) = self.runs
        return only

    def _feed(self, arrival: Arrival) -> Hearing:
        self.arrivals.append(arrival)
        self.events += self.translator.feed(arrival)
        return self


def again(dialect: str, arrivals: Iterable[Arrival]) -> Hearing:
    """The arrivals heard by a fresh translator, numbered anew."""
    other = Hearing(dialect)
    for one in arrivals:
        other.again(one)
    return other


def fields(**values: Any) -> JsonUnit:
    return JsonUnit(values, BodyFraming())


def blind(lines: Sequence[str]) -> list[str]:
    """A transcript without what not every surface tells: tool states and confidence (Q2)."""
    states = (" ok", " failed", " unknown", " declined")
    kept = []
    for line in lines:
        for state in states:
            line = line.removesuffix(state) if not line.startswith(("final", "gate")) else line
        kept.append(line.replace(" positional ", " "))
    return kept
