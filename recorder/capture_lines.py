"""The lines of a capture, and what its provider's lines say about exchanges. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from .messages import Captured, Chunk, Fact, Over

PROVIDER_KINDS: Final = ("request", "response", "sse", "cut", "client_gone")
"""What a provider's line may tell; each names its exchange by ``n``."""

_CLEAN: Final = "clean EOF"
"""How a capture calls a stream that ended as http ends one, but without its last event."""

_ENDING_EVENTS: Final = ("message_stop", "error")

_encode = msgspec.json.encode


class LineError(ValueError):
    """A line that is no line of a capture; the message says why."""


class Line(msgspec.Struct, frozen=True):
    """A line after the header. `dir` says which other fields it has; a provider's line tells one
    of `PROVIDER_KINDS`, or is a flat line of a scripted Responses API (`capture_responses`).
    """

    dir: str
    t_ms: float | None = None
    text: str | None = None
    code: int | None = None
    request: dict[str, Any] | None = None
    response: dict[str, Any] | None = None
    sse: dict[str, Any] | None = None
    cut: dict[str, Any] | None = None
    client_gone: dict[str, Any] | str | None = None
    i: int | None = None
    conn: int | None = None
    status: int | None = None
    headers: dict[str, Any] | None = None
    body: Any = None
    event: dict[str, Any] | None = None
    end: str | None = None
    close: int | None = None
    abrupt: bool = False

    def told(self) -> tuple[str, dict[str, Any]] | None:
        """Which of `PROVIDER_KINDS` a provider's line tells, and its fields."""
        for kind in PROVIDER_KINDS:
            fields = getattr(self, kind)
            if isinstance(fields, dict):
                return kind, fields
        return None


_decode = msgspec.json.Decoder(Line).decode


def decode_line(text: bytes) -> Line:
    """Raises `LineError`."""
    try:
        return _decode(text)
    except msgspec.ValidationError as error:
        raise LineError(f"is no line of a capture: {error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise LineError("is not JSON") from None


class ProviderLog:
    """The exchanges of a capture. Noted in a first pass, told in a second: a capture says how a
    stream was cut, but not that it ended well.
    """

    carrier: Final = "http"

    def __init__(self) -> None:
        self.lines = 0
        self._last: dict[object, int] = {}
        self._ended: set[object] = set()
        self._numbers: dict[object, int] = {}

    def note(self, number: int, line: Line) -> bool:
        """First pass: the line of that number; whether it can be read."""
        told = line.told()
        if told is None:
            return False
        kind, fields = told
        self.lines += 1
        key = _key(number, fields)
        self._last[key] = number
        if kind == "response" and "json" in fields:
            self._ended.add(key)
        if kind == "sse" and fields.get("event") in _ENDING_EVENTS:
            self._ended.add(key)
        return True

    def told(self, track: str, number: int, line: Line, at_us: int) -> Iterator[Captured]:
        """Second pass: what an edge would have told of it."""
        told = line.told()
        if told is None:
            return
        kind, fields = told
        key = _key(number, fields)
        exchange = self._numbers.setdefault(key, len(self._numbers) + 1)
        match kind:
            case "request":
                yield Fact(at_us, track, "request", exchange, _request(fields))
            case "response":
                yield Fact(at_us, track, "response", exchange, _response(fields))
                if "json" in fields:
                    yield Chunk(at_us, track, "data", exchange, _encode(fields["json"]))
            case "sse":
                yield Chunk(at_us, track, "data", exchange, _event(fields))
            case "cut" if not str(fields.get("how", "")).startswith(_CLEAN):
                yield from _ended(at_us, track, exchange, "cut", {"by": "upstream"})
                return
            case "client_gone":
                yield from _ended(at_us, track, exchange, "cut", {"by": "client"})
                return
        if kind == "cut" or (key in self._ended and self._last[key] == number):
            yield from _ended(at_us, track, exchange, "end", {})


def _key(number: int, fields: dict[str, Any]) -> object:
    """What tells exchanges apart; a line that names none is one of its own."""
    n = fields.get("n")
    return n if isinstance(n, int) else ("line", number)


def _ended(
    at_us: int, track: str, exchange: int, code: str, fields: dict[str, Any]
) -> Iterator[Captured]:
    yield Over(at_us, track, "data", exchange)
    yield Fact(at_us, track, code, exchange, fields)


def _request(fields: dict[str, Any]) -> dict[str, Any]:
    method, path = fields.get("method", "POST"), fields.get("path", "/")
    return {"method": str(method), "path": str(path), "headers": {}}


def _response(fields: dict[str, Any]) -> dict[str, Any]:
    given = fields.get("headers")
    headers = {str(k).lower(): str(v) for k, v in given.items()} if isinstance(given, dict) else {}
    media = "text/event-stream" if fields.get("sse") else "application/json"
    status = fields.get("status")
    return {
        "status": status if isinstance(status, int) else 0,
        "headers": {"content-type": media} | headers,
    }


def _event(fields: dict[str, Any]) -> bytes:
    """The event as a provider writes one."""
    data = fields.get("data")
    body = data.encode() if isinstance(data, str) else _encode(data)
    event = fields.get("event")
    head = f"event: {event}\n".encode() if isinstance(event, str) else b""
    return head + b"".join(b"data: %s\n" % line for line in body.split(b"\n")) + b"\n"
