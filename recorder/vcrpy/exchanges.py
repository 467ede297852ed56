"""The exchanges of a cassette of ours, as vcrpy holds them: whole bodies, no times. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any, Final

import msgspec

from turnreel.cassettes import Cassette, Record, TrackSpec, unit_of
from turnreel.recorder.interactions import public_origin
from turnreel.wire.encode import encode
from turnreel.wire.units import Json, SseFraming, TornUnit

from .reading import MARK, Mark

UNKNOWN_ORIGIN: Final = "http://recorded.invalid"
"""Where a request went whose host was not kept, being nobody's business."""

_TRANSFER: Final = frozenset({"content-length", "transfer-encoding", "content-encoding"})

Place = tuple[str, int]
"""An exchange's track and number."""


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """One exchange, with everything of it that vcrpy can hold. `loss` says what it cannot; without
    a `status` there is nothing to hold.
    """

    track: TrackSpec
    number: int
    method: str
    path: str
    asked: dict[str, Json]
    features: Json
    status: int | None
    answered: dict[str, Json]
    body: bytes
    loss: str | None

    @property
    def place(self) -> Place:
        """Track and number."""
        return self.track.id, self.number

    @property
    def url(self) -> str:
        """Where the request went, as far as it was kept."""
        origin = self.track.endpoint
        known = origin is not None and public_origin(origin) == origin
        return f"{origin if known else UNKNOWN_ORIGIN}{self.path}"


def exchanges_of(cassette: Cassette) -> Iterator[Exchange]:
    """The exchanges of a cassette's provider tracks, in the order in which they were asked. Raises
    `CassetteError` as iterating does.
    """
    tracks = {track.id: track for track in cassette.header.tracks if track.carrier != "stdio"}
    grouped: dict[Place, list[Record]] = {}
    for record in cassette:
        number = record.exchange
        if record.track in tracks and number is not None:
            grouped.setdefault((record.track, number), []).append(record)
    for (track, number), records in grouped.items():
        yield _exchange(tracks[track], number, records)


def as_request(one: Exchange, cassette: str) -> dict[str, Any]:
    """The request as vcrpy writes it; `cassette` is the id of the one that it is in."""
    mark = Mark(cassette, one.track.id, one.number, one.track.dialect, one.features)
    headers = {**_lists(one.asked), MARK: [msgspec.json.encode(mark).decode()]}
    return {"method": one.method, "uri": one.url, "body": None, "headers": headers}


def as_response(one: Exchange) -> dict[str, Any]:
    """The answer as vcrpy writes it. It has a status."""
    assert one.status is not None, "there is an answer"
    return {
        "status": {"code": one.status, "message": phrase(one.status)},
        "headers": _lists(one.answered),
        "body": {"string": one.body},
    }


def _exchange(track: TrackSpec, number: int, records: list[Record]) -> Exchange:
    request: dict[str, Json] = {}
    response: dict[str, Json] = {}
    loss: str | None = "it has no end"
    body: list[bytes] = []
    torn, is_streamed = 0, False
    for record in records:
        match record.code:
            case "request":
                request = _fields(record)
            case "response":
                response = _fields(record)
            case "data":
                unit = unit_of(record)
                torn += isinstance(unit, TornUnit)
                is_streamed |= isinstance(unit.framing, SseFraming)
                body.append(encode(unit))
            case "end":
                loss = None
            case "cut":
                loss = f"it was cut after {sum(map(len, body))} bytes"
            case "open":
                loss, request = "it is a websocket", _fields(record)
                break
    if loss is None and torn:
        loss = f"{torn} of its events could not be read when it was recorded"
    status = response.get("status")
    answered = _headers(response.get("headers"))
    if is_streamed:  # an importer may have known no headers
        answered.setdefault("content-type", "text/event-stream")
    return Exchange(
        track=track,
        number=number,
        method=str(request.get("method", "GET")),
        path=str(request.get("path", "/")),
        asked=_headers(request.get("headers")),
        features=request.get("features"),
        status=status if isinstance(status, int) and response else None,
        answered=answered,
        body=b"".join(body),
        loss=loss,
    )


def _fields(record: Record) -> dict[str, Json]:
    data = record.data
    return data if isinstance(data, dict) else {}


def _headers(headers: Json) -> dict[str, Json]:
    """Without those of a transfer that is not repeated."""
    entries: Iterable[Any] = ()
    if isinstance(headers, dict):
        entries = headers.items()
    elif isinstance(headers, list):
        entries = headers
    found: dict[str, Json] = {}
    for entry in entries:
        match entry:
            case [str() as name, str() as value] if name.lower() not in _TRANSFER:
                found[name] = value
    return found


def _lists(headers: dict[str, Json]) -> dict[str, list[Json]]:
    return {name: [value] for name, value in headers.items()}


def phrase(status: int) -> str:
    """The words that go with a status."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
