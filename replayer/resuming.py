"""The rest of a stream, for a client that comes back for it.

Rules of this file
- A client says what it saw last: the id of an event (``Last-Event-ID``), or the number that a
  Responses stream gives its events (``starting_after``).
- It gets what comes behind that, at the recorded distances. Of what it saw last nothing is known:
  it gets all, as from a server that has not kept it.
"""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import msgspec
from msgspec.structs import replace

from turnreel.wire.units import JsonUnit, SseFraming

from .script import Event, Exchange

LAST_EVENT_HEADER = "last-event-id"


class Since(msgspec.Struct, frozen=True):
    """What a client saw last: the id of an event, or its number."""

    id: str | None = None
    number: int | None = None


class Retrieval(msgspec.Struct, frozen=True):
    """An answer that is asked for by its name, whole or as the stream behind an event."""

    name: str
    since: Since | None


def retrieval(method: str, path: str) -> Retrieval | None:
    """What a request retrieves, if it may be one that does."""
    target = urlsplit(path)
    name = target.path.rpartition("/")[2]
    if method != "GET" or not name:
        return None
    query = parse_qs(target.query)
    if query.get("stream", [""])[-1].lower() != "true":
        return Retrieval(name, None)
    said = query.get("starting_after", [""])[-1]
    return Retrieval(name, Since(number=int(said) if said.isdecimal() and len(said) < 16 else -1))


def resumed(exchange: Exchange, since: Since) -> Exchange:
    """The exchange with the events behind `since` alone."""
    for place, event in enumerate(exchange.events, 1):
        if _is(event, since):
            rest = exchange.events[place:]
            return replace(exchange, events=rest, asked_us=event.at_us)
    return exchange


def _is(event: Event, since: Since) -> bool:
    unit = event.unit
    if since.id is not None:
        return isinstance(unit.framing, SseFraming) and unit.framing.id == since.id
    value = unit.value if isinstance(unit, JsonUnit) else None
    return isinstance(value, dict) and value.get("sequence_number") == since.number
