"""A session on a program's pipes in memory: what it prints and what its host writes, as one
transcript through the real adapter and the real translator.
"""

from __future__ import annotations

from typing import Any, Self

from turnreel.adapters.base import Adapter, Arrival, Edge, Frame
from turnreel.adapters.translator import Translator
from turnreel.lifecycle.events import AnyEvent
from turnreel.lifecycle.signals import AnySignal, Exited, Unreconciled
from turnreel.wire.units import BodyFraming, Json, JsonUnit, LineFraming, TextUnit, Unit


class StdioSession:
    """What every dialect's session says. Numbers what arrives from 1, a millisecond apart. `beside`
    are the adapters of other tracks.
    """

    def __init__(self, adapter: Adapter[Any], **beside: Adapter[Any]) -> None:
        adapters = {"agent": adapter, **beside}
        self.translator = Translator(adapters, session="s", agent=adapter.info.agent)
        self.events: list[AnyEvent] = []
        self._number = 0

    def prints(self, *lines: Json) -> Self:
        for line in lines:
            self._frame("out", JsonUnit(line, LineFraming()))
        return self

    def prints_text(self, text: str) -> Self:
        self._frame("out", TextUnit(text, LineFraming()))
        return self

    def hears(self, *lines: Json) -> Self:
        for line in lines:
            self._frame("in", JsonUnit(line, LineFraming()))
        return self

    def hangs_up(self) -> Self:
        self._frame("eof", JsonUnit({"stream": "stdin"}, BodyFraming()))
        return self

    def edge(self, *signals: AnySignal) -> Self:
        for signal in signals:
            self._number += 1
            self._feed(Edge("host", self._number, self._number * 1000, signal))
        return self

    def feeds(self, track: str, code: Any, value: Json, exchange: int | None = None) -> Self:
        """A frame of another track."""
        return self._frame(code, JsonUnit(value, BodyFraming()), track, exchange)

    def exits(self, code: int | None = 0, killed_by: str | None = None) -> Self:
        return self.edge(Exited(code=code, killed_by=killed_by), Unreconciled())

    @property
    def noted(self) -> dict[str, int]:
        return dict(self.translator.counts)

    def _frame(
        self, code: Any, unit: Unit, track: str = "agent", exchange: int | None = None
    ) -> Self:
        self._number += 1
        self._feed(Frame(track, code, self._number, self._number * 1000, unit, exchange))
        return self

    def _feed(self, arrival: Arrival) -> None:
        self.events += self.translator.feed(arrival)
