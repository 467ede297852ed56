"""The answers on a recorded WebSocket: each message of its client is a request of its own.

Rules of this file
- An answer is what came between one message of the client and the next. Where the client's messages
  were not recorded (imports), it is what ends with a message that ends one.
- A request may continue an answer by its name instead of repeating what led to it. Its features
  have the whole history all the same, so that a client that repeats everything on a new WebSocket
  asks for the same step.
- How the WebSocket ended belongs to its last answer. Closed by its client, or only left alone when
  the recording stopped, it does not end: the server waits for what is said next. Where its client
  broke it off inside an answer, that is how the answer ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from turnreel.adapters.registry import provider
from turnreel.cassettes import Record, unit_of
from turnreel.wire.encode import encode
from turnreel.wire.units import Json, Unit

from .forms import history_of
from .script import Closed, Event, Exchange, Finished, Torn, event_of, fields_of, torn_of

NORMAL: Final = 1000
SENDABLE: Final = frozenset(range(1000, 5000)) - {1004, 1005, 1006, 1015}
"""Codes with which a WebSocket is closed. The others say what was never sent: that there was none,
or no closing.
"""


class Chain:
    """What was answered under which name, and the history that an answer concludes."""

    def __init__(self, dialect: str, path: str) -> None:
        self._provider = provider(dialect)
        self._path = path
        self._known: dict[str, list[Json]] = {}

    def features(self, message: bytes) -> Json:
        """The features of a message, with the whole history."""
        shape = self._provider.features("GET", self._path, message)
        before = self._known.get(self._provider.continues(message) or "")
        if before is None or not isinstance(shape, dict):
            return shape
        return {**shape, "history": before + history_of(shape)}

    def is_known(self, message: bytes) -> bool:
        """Whether a message continues nothing, or what was answered here."""
        name = self._provider.continues(message)
        return name is None or name in self._known

    def answered(self, features: Json, units: Iterable[Unit]) -> None:
        """A message with these features was answered so."""
        told = self._provider.told(units)
        if told is None or not isinstance(features, dict):
            return
        self._known[told.id] = [*history_of(features), *told.history]


def answers(number: int, track: str, dialect: str, records: list[Record]) -> Iterator[Exchange]:
    """The answers on a WebSocket, in their order."""
    opened = next(record for record in records if record.code == "open")
    path = str(fields_of(opened).get("path", "/"))
    chain = Chain(dialect, path)
    grouped = list(_grouped(records, dialect))
    end = _end(records)
    for turn, (said, received) in enumerate(grouped, 1):
        events = tuple(event_of(record, place) for place, record in enumerate(received, 1))
        features: Json = None
        if said is not None:
            features = chain.features(encode(unit_of(said)))
            chain.answered(features, [event.unit for event in events])
        asked = said or (received[0] if received else opened)
        last_us = events[-1].at_us if events else asked.at_us
        yield Exchange(
            number=number,
            track=track,
            dialect=dialect,
            method="GET",
            path=path,
            features=features,
            asked_us=asked.at_us,
            response=None,
            events=events,
            end=Finished(last_us)
            if turn < len(grouped)
            else end or _open(records, events, dialect),
            carrier="websocket",
            turn=turn,
            said=None if said is None else unit_of(said),
        )


def _grouped(
    records: Iterable[Record], dialect: str
) -> Iterator[tuple[Record | None, list[Record]]]:
    """The messages of the client, each with those that answered it."""
    ends = provider(dialect).ends
    said: Record | None = None
    received: list[Record] = []
    for record in records:
        if record.code == "send":
            if said or received:
                yield said, received
            said, received = record, []
        elif record.code == "receive":
            received.append(record)
            if said is None and ends(unit_of(record)):
                yield None, received
                received = []
    if said or received:
        yield said, received


def _end(records: Iterable[Record]) -> Closed | Torn | None:
    """How the server ended the WebSocket, if it did."""
    for record in records:
        fields = fields_of(record)
        if fields.get("by") == "client":
            continue
        if record.code == "cut":
            return torn_of(record)
        if record.code == "close":
            code = fields.get("code")
            said = code if isinstance(code, int) else NORMAL
            return Closed(record.at_us, said if said in SENDABLE else 0)
    return None


def _open(
    records: Iterable[Record], events: tuple[Event, ...], dialect: str
) -> Finished | Torn | None:
    """The end of the last answer on a WebSocket that its server left open: that its client broke it
    off, or none, if the answer was not all there.
    """
    if events and provider(dialect).ends(events[-1].unit):
        return Finished(events[-1].at_us)
    return next((torn_of(record) for record in records if record.code == "cut"), None)
