"""The translator: arrivals of one session in, events out.

It owns what the adapters must not: which track has which adapter, what was seen before, and the
counts of what was dropped. Its state is one immutable value, so a session can be snapshot,
branched and compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from turnreel.lifecycle import ledger
from turnreel.lifecycle.book import Arrived, LedgerState
from turnreel.lifecycle.events import AnyEvent, Evidence
from turnreel.lifecycle.observations import AnyObservation, Began
from turnreel.lifecycle.terms import PLAIN, Terms

from .base import Adapter, Arrival, Edge, Frame
from .seen import Seen

EDGE_DIALECT = "edge"


class SessionState(msgspec.Struct, frozen=True):
    """All that decides what the next arrival means: each track's adapter state and the ledger."""

    adapters: tuple[tuple[str, Any], ...]
    ledger: LedgerState


class Checkpoint(msgspec.Struct, frozen=True):
    """A place to go back to: the state, and how far the session had been read."""

    state: SessionState
    high: int


class Translator:
    """Translates one session.

    `adapters` maps track ids to adapters; frames of other tracks are counted and change
    nothing. `session` becomes the head of run ids, `terms` are what the host declares.

    Guarantees: an arrival whose record number was seen, or whose native identity was seen on its
    track and direction within the last `seen.LIMIT`, changes nothing (R2); nothing an agent sends
    raises; events of a run are numbered densely and end with at most one terminal; memory is
    bounded by what is open, whatever the session's length.
    """

    def __init__(
        self,
        adapters: Mapping[str, Adapter[Any]],
        *,
        session: str,
        agent: str,
        terms: Terms = PLAIN,
    ) -> None:
        self._adapters = dict(adapters)
        self._index = {track: place for place, track in enumerate(self._adapters)}
        self._apart = _apart(self._adapters)
        self._high = -1
        self._seen = Seen()
        self.counts: Counter[str] = Counter()
        self.state = SessionState(
            adapters=tuple((track, one.begin()) for track, one in self._adapters.items()),
            ledger=LedgerState(session=session, agent=agent, terms=terms),
        )

    def feed(self, arrival: Arrival) -> list[AnyEvent]:
        """The events that `arrival` causes, in order; none if it was seen before."""
        if arrival.number <= self._high:
            self.counts["record seen before"] += 1
            return []
        self._high = arrival.number
        if isinstance(arrival, Frame):
            return self._frame(arrival)
        return self._edge(arrival)

    def checkpoint(self) -> Checkpoint:
        """The present place in the session."""
        return Checkpoint(self.state, self._high)

    def branch(self, place: Checkpoint) -> Translator:
        """A translator that goes on from `place`, a checkpoint of this one, and shares nothing that
        changes. Identities that this one met later are unknown to the branch; counts begin anew."""
        other = Translator.__new__(Translator)
        other._adapters = self._adapters
        other._index = self._index
        other._apart = self._apart
        other._high = place.high
        other._seen = self._seen.branch(place.high)
        other.counts = Counter()
        other.state = place.state
        return other

    def _frame(self, frame: Frame) -> list[AnyEvent]:
        adapter = self._adapters.get(frame.track)
        if adapter is None:
            self.counts["track without an adapter"] += 1
            return []
        if self._known(adapter, frame):
            self.counts["frame seen before"] += 1
            return []
        return self._step(frame.track, adapter, frame)

    def _edge(self, edge: Edge) -> list[AnyEvent]:
        events: list[AnyEvent] = []
        for track, adapter in self._adapters.items():
            if adapter.info.tier != "provider":
                events += self._step(track, adapter, edge)
        book, told = ledger.signal(
            self.state.ledger, edge.signal, _arrived(edge, EDGE_DIALECT), self.counts
        )
        self.state = SessionState(self.state.adapters, book)
        return events + told

    def _step(self, track: str, adapter: Adapter[Any], arrival: Arrival) -> list[AnyEvent]:
        place = self._index[track]
        before = self.state.adapters[place][1]
        after, seen = adapter.step(before, arrival)
        if after is before and not seen:
            return []
        if apart := self._apart.get(track):
            seen = [_of_track(one, apart) for one in seen]
        states = self.state.adapters
        if after is not before:
            states = (*states[:place], (track, after), *states[place + 1 :])
        book: LedgerState = self.state.ledger
        events: list[AnyEvent] = []
        if seen:
            arrived = _arrived(arrival, adapter.info.dialect)
            book, events = ledger.observe(book, seen, arrived, self.counts)
        self.state = SessionState(states, book)
        return events

    def _known(self, adapter: Adapter[Any], frame: Frame) -> bool:
        identity = adapter.identity(frame)
        if identity is None:
            return False
        return self._seen.again((frame.track, frame.code, identity), frame.number)


def _apart(adapters: Mapping[str, Adapter[Any]]) -> dict[str, str]:
    """What the turns of each further dialect are called by, so that no two agents of a session have
    turns of one name (R6). Those of the first, or only, one are called as its adapter calls them;
    tracks of one dialect may tell of the same turn.
    """
    spoken = {track: one.info.dialect for track, one in adapters.items() if one.info.has_runs}
    first = next(iter(spoken.values()), None)
    return {track: f"{dialect} " for track, dialect in spoken.items() if dialect != first}


def _of_track(seen: AnyObservation, apart: str) -> AnyObservation:
    """An observation with the names of its turns kept apart."""
    if isinstance(seen, Began):
        seen = replace(seen, called=seen.turn)
    names = ("turn", "parent", "caused_by", "continues")
    told = {name: getattr(seen, name, None) for name in names}
    return replace(seen, **{name: f"{apart}{turn}" for name, turn in told.items() if turn})


def _arrived(arrival: Arrival, dialect: str) -> Arrived:
    return Arrived(arrival.at_us, Evidence(arrival.track, arrival.number), dialect)
