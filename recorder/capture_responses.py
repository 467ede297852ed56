"""What the provider's lines of a Codex capture say about exchanges. Pure.

They are flat: a line names its HTTP exchange by ``i`` or its WebSocket by ``conn``. What the client
sent on a WebSocket is not in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from turnreel.cassettes.header import Carrier

from .capture_lines import Line
from .messages import Captured, Chunk, Fact, Over

_GIVEN_UP: Final = frozenset({"hang"})
"""Ends of a stream that the client gave up waiting for; any other but a clean one is a cut."""

_PATH: Final = "/v1/responses"

_encode = msgspec.json.encode

_Key = tuple[str, int]


class ResponsesLog:
    """The exchanges of a capture, told as an edge would have told them."""

    def __init__(self) -> None:
        self.lines = 0
        self.carrier: Carrier = "http"
        self._numbers: dict[_Key, int] = {}
        self._over: set[_Key] = set()

    def note(self, number: int, line: Line) -> bool:
        """First pass: the line of that number; whether it can be read."""
        self.lines += 1
        if line.conn is not None:
            self.carrier = "websocket"
        return line.request is not None or _key(line) is not None

    def told(self, track: str, number: int, line: Line, at_us: int) -> Iterator[Captured]:
        """Second pass: what an edge would have told of it."""
        key = _key(line)
        if key is None or key in self._over:
            return
        exchange = self._numbers.setdefault(key, len(self._numbers) + 1)
        said = (at_us, track)
        if line.request is not None:
            yield Fact(*said, "request", exchange, _request(line.request))
        elif line.conn is not None and line.status == 101:
            yield Fact(*said, "open", exchange, {"path": _PATH})
        elif line.status is not None:
            if line.conn is not None:
                yield Fact(*said, "request", exchange, _request({"method": "GET"}))
            yield from self._response(key, line, at_us, track, exchange)
        elif line.event is not None and line.conn is not None:
            yield Chunk(*said, "receive", exchange, _encode(line.event))
        elif line.event is not None:
            yield Chunk(*said, "data", exchange, _sse(line.event))
        elif line.close is not None:
            self._over.add(key)
            yield Fact(*said, "close", exchange, {"code": line.close, "by": "upstream"})
        elif line.end == "clean":
            yield from self._ended(key, at_us, track, exchange, "end", {})
        else:
            gone = line.client_gone is not None or line.end in _GIVEN_UP
            by = {"by": "client" if gone else "upstream"}
            yield from self._ended(key, at_us, track, exchange, "cut", by)

    def _response(
        self, key: _Key, line: Line, at_us: int, track: str, exchange: int
    ) -> Iterator[Captured]:
        streamed = line.status == 200
        media = "text/event-stream" if streamed else "application/json"
        given = {str(k).lower(): str(v) for k, v in (line.headers or {}).items()}
        fields: dict[str, Any] = {
            "status": line.status,
            "headers": {"content-type": media} | given,
        }
        yield Fact(at_us, track, "response", exchange, fields)
        if not streamed:
            if line.body is not None:
                yield Chunk(at_us, track, "data", exchange, _encode(line.body))
            yield from self._ended(key, at_us, track, exchange, "end", {})

    def _ended(
        self, key: _Key, at_us: int, track: str, exchange: int, code: str, fields: dict[str, Any]
    ) -> Iterator[Captured]:
        self._over.add(key)
        if key[0] == "http" or code == "end":
            yield Over(at_us, track, "data", exchange)
        yield Fact(at_us, track, code, exchange, fields)


def _key(line: Line) -> _Key | None:
    """What tells exchanges apart. A request without a path is a WebSocket's, and its content is
    not in the capture.
    """
    if line.conn is not None:
        return "websocket", line.conn
    if line.request is not None:
        n = line.request.get("i")
        return ("http", n) if isinstance(n, int) and "path" in line.request else None
    return ("http", line.i) if line.i is not None else None


def _request(fields: dict[str, Any]) -> dict[str, Any]:
    method, path = fields.get("method", "POST"), fields.get("path", _PATH)
    return {"method": str(method), "path": str(path), "headers": {}}


def _sse(event: dict[str, Any]) -> bytes:
    """The event as a provider writes one."""
    kind = str(event.get("type", "message")).encode()
    return b"event: %s\ndata: %s\n\n" % (kind, _encode(event))
