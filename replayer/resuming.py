"""The rest of a stream: what a client that comes back for it asks, and what it gets.

Rules of this file
- A client says what it saw last: the id of an event (``Last-Event-ID``), or the number that a
  Responses stream gives its events (``starting_after``). The latter only where the provider goes on
  by itself (``background``): then it asks for the answer by its name.
- It gets what comes behind that, at the recorded distances. Of what it saw last nothing is known:
  it gets all, as from a server that has not kept it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar
from urllib.parse import parse_qs, urlsplit

import msgspec
from msgspec.structs import replace

from turnreel.wire.units import Json, JsonUnit, SseFraming, Unit

from .script import Event, Exchange
from .steps import Since as Point

LAST_EVENT_HEADER: Final = "last-event-id"
UNKNOWN_ID: Final = "turnreel-unknown"
"""An id that no stream gives out."""
UNKNOWN_NUMBER: Final = 2**31 - 1
"""A number that no stream comes to."""

T = TypeVar("T")


class Since(msgspec.Struct, frozen=True):
    """What a client saw last: the id of an event, or its number."""

    id: str | None = None
    number: int | None = None


class Retrieval(msgspec.Struct, frozen=True):
    """An answer that is asked for by its name, whole or as the stream behind an event."""

    name: str
    since: Since | None


class Return(msgspec.Struct, frozen=True):
    """The request with which a client comes back: for all, or for what is behind `since`."""

    method: str
    path: str
    headers: dict[str, str]
    since: Since | None = None


def coming_back(exchange: Exchange, seen: Sequence[Unit], point: Point) -> Return:
    """How a client asks again that saw `seen` of the answer to `exchange`: from the last of it,
    from its beginning, or from where nothing is.
    """
    if (name := _background(seen)) is not None:
        path = urlsplit(exchange.path).path
        named = path if path.endswith(f"/{name}") else f"{path}/{name}"
        after = _after(_number(reversed(seen)), UNKNOWN_NUMBER, point)
        query = "" if after is None else f"&starting_after={after}"
        return Return("GET", f"{named}?stream=true{query}", {}, _since(number=after))
    id_ = _after(last_id(seen), UNKNOWN_ID, point)
    headers = {} if id_ is None else {LAST_EVENT_HEADER: id_}
    return Return(exchange.method, exchange.path, headers, _since(id_))


def last_id(seen: Sequence[Unit]) -> str | None:
    """The id of the last event that has one."""
    ids = (unit.framing.id for unit in reversed(seen) if isinstance(unit.framing, SseFraming))
    return next((id_ for id_ in ids if id_ is not None), None)


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


def serves(exchange: Exchange, wanted: Retrieval) -> bool:
    """Whether a recorded retrieval is in the form that is wanted, and leaves out nothing behind
    what the client saw last, as far as its numbers say. An error is in any form.
    """
    if exchange.response is None or exchange.response.status >= 400:
        return True
    if wanted.since is None or wanted.since.number is None:
        return not exchange.streamed
    first = _number(event.unit for event in exchange.events)
    return exchange.streamed and (first is None or first <= wanted.since.number + 1)


def resumed(exchange: Exchange, since: Since | None) -> Exchange:
    """The exchange with the events behind `since` alone; all of it where nothing is known of it."""
    if since is None:
        return exchange
    for place, event in enumerate(exchange.events, 1):
        if _is(event, since):
            rest = exchange.events[place:]
            return replace(exchange, events=rest, asked_us=event.at_us)
    return exchange


def _is(event: Event, since: Since) -> bool:
    unit = event.unit
    if since.id is not None:
        return isinstance(unit.framing, SseFraming) and unit.framing.id == since.id
    return _said(unit).get("sequence_number") == since.number


def _since(id_: str | None = None, number: int | None = None) -> Since | None:
    return None if id_ is None and number is None else Since(id_, number)


def _after(last: T | None, unknown: T, point: Point) -> T | None:
    match point:
        case "last":
            return last
        case "zero":
            return None
        case "unknown":
            return unknown


def _background(seen: Sequence[Unit]) -> str | None:
    """The name of the answer, if it goes on without its client."""
    for unit in seen:
        match _said(unit).get("response"):
            case {"id": str(name), "background": True}:
                return name
    return None


def _number(units: Iterable[Unit]) -> int | None:
    """The number of the first that has one."""
    numbers = (_said(unit).get("sequence_number") for unit in units)
    return next((number for number in numbers if isinstance(number, int)), None)


def _said(unit: Unit) -> dict[str, Json]:
    value = unit.value if isinstance(unit, JsonUnit) else None
    return value if isinstance(value, dict) else {}
