"""A provider's track as exchanges: a request and what came back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from turnreel.cassettes import Record
from turnreel.wire.units import Json

from .answers import answers
from .script import Event, Exchange, Finished, Response, Torn, event_of, fields_of, torn_of

_HEADER: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e]*")
"""A name and value that can stand in a response head and end nowhere else."""


def exchanges(records: Iterable[Record], track: str, dialect: str) -> tuple[Exchange, ...]:
    """The exchanges of a provider's track, by their number; those on a WebSocket in its order.
    Total: fields of the wrong shape count as absent, records of unknown codes are passed over.
    """
    grouped: dict[int, _Group] = {}
    for record in records:
        if record.track == track and (number := record.exchange) is not None:
            group = grouped.setdefault(number, _Group(record.at_us))
            if record.code == "data":  # by far the most: none is held twice
                group.events.append(event_of(record, len(group.events) + 1))
            else:
                group.records.append(record)
    found: list[Exchange] = []
    for number in sorted(grouped):
        group = grouped[number]
        if any(record.code == "open" for record in group.records):
            found += answers(number, track, dialect, group.records)
        else:
            found.append(_exchange(number, track, dialect, group))
    return tuple(found)


class _Group(msgspec.Struct):
    """The records of one exchange, its body already as events."""

    began_us: int
    records: list[Record] = msgspec.field(default_factory=list)
    events: list[Event] = msgspec.field(default_factory=list)


def _exchange(number: int, track: str, dialect: str, group: _Group) -> Exchange:
    request: dict[str, Json] = {}
    response: Response | None = None
    end: Finished | Torn | None = None
    asked_us = group.began_us
    for record in group.records:
        match record.code:
            case "request":
                request, asked_us = fields_of(record), record.at_us
            case "response":
                response = _response(record)
            case "end":
                end = Finished(record.at_us)
            case "cut":
                end = torn_of(record)
    return Exchange(
        number=number,
        track=track,
        dialect=dialect,
        method=str(request.get("method", "POST")),
        path=str(request.get("path", "/")),
        features=request.get("features"),
        asked_us=asked_us,
        response=response,
        events=tuple(group.events),
        end=end,
    )


def _response(record: Record) -> Response:
    fields = fields_of(record)
    status, headers = fields.get("status"), fields.get("headers")
    if not isinstance(status, int) or not 200 <= status <= 599:
        status = 200
    return Response(record.at_us, status, tuple(_pairs(headers)))


def _pairs(headers: Json) -> Iterator[tuple[str, str]]:
    """Headers as recorded: an object, or a list of pairs where a name repeats."""
    entries: Iterable[Json | tuple[str, Json]] = ()
    if isinstance(headers, dict):
        entries = headers.items()
    elif isinstance(headers, list):
        entries = headers
    for entry in entries:
        match entry:
            case [str(name), str() | int() as value] if _HEADER.fullmatch(f"{name}:{value}"):
                yield name.lower(), str(value)
