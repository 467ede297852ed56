"""A ledger that is played to, observation by observation."""

from __future__ import annotations

from collections import Counter

from turnreel.lifecycle import ledger
from turnreel.lifecycle.book import Arrived, LedgerState
from turnreel.lifecycle.events import TERMINALS, AnyEvent, RunStarted
from turnreel.lifecycle.observations import AnyObservation
from turnreel.lifecycle.signals import AnySignal
from turnreel.lifecycle.terms import PLAIN, Terms


class Session:
    """A session of one agent, `s`: its runs are ``s.1``, ``s.2`` …"""

    def __init__(self, terms: Terms = PLAIN) -> None:
        self.state = LedgerState(session="s", agent="test", terms=terms)
        self.counts: Counter[str] = Counter()
        self.events: list[AnyEvent] = []

    def sees(self, *items: AnyObservation | AnySignal) -> list[AnyEvent]:
        """What the items cause, in order."""
        events: list[AnyEvent] = []
        for item in items:
            arrived = Arrived(0, None, "test")
            if isinstance(item, AnyObservation):
                self.state, told = ledger.observe(self.state, [item], arrived, self.counts)
            else:
                self.state, told = ledger.signal(self.state, item, arrived, self.counts)
            events += told
        self.events += events
        return events

    @property
    def starts(self) -> list[RunStarted]:
        """The beginnings of its runs so far."""
        return [event for event in self.events if isinstance(event, RunStarted)]

    @property
    def terminals(self) -> list[tuple[str, str, str, str]]:
        """Run, type, text and health of each terminal so far."""
        return [
            (event.run_id, str(type(event).__struct_config__.tag), event.text, event.health)
            for event in self.events
            if isinstance(event, TERMINALS)
        ]
