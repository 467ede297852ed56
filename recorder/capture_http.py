"""The exchange of a capture whose agent answers over HTTP, and what its host did beside it.

A capture of this kind holds one request in its header and the answer's body as it arrived. Calls to
stop the turn are evidence of the host, on the same clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from turnreel.adapters.fields import items, text
from turnreel.wire.units import Json

from .capture_lines import Line
from .messages import Captured, Chunk, Fact, Over
from .tracks import AGENT, HOST

EXCHANGE: Final = 1

CLEAN: Final = "chunked-terminator"
"""How a capture calls a body that ended as HTTP ends one."""

GIVEN_UP: Final = ("client-closed", "client-timeout")
"""How it calls one that its reader gave up; any other end is the server's."""


class HttpLog:
    """Tells the exchange of a capture. `request`, `head` and `side` are the header's ``request``,
    ``response_head`` and ``side_channel``.
    """

    def __init__(self, request: dict[str, Any], head: str, side: dict[str, Any]) -> None:
        self._request = request
        self._head = head
        self._cancels = sorted(_cancels(items(side, "control")))

    def begun(self) -> Iterator[Captured]:
        """The request, and the head of its answer."""
        method, path = text(self._request, "method") or "GET", text(self._request, "path") or "/"
        asked: dict[str, Json] = {"method": method, "path": path, "headers": {}}
        yield Fact(0, AGENT, "request", EXCHANGE, asked)
        yield Fact(0, AGENT, "response", EXCHANGE, _response(self._head))

    def told(self, line: Line, at_us: int) -> Iterator[Captured]:
        """What an edge would have told of a line, and before it of the host's calls."""
        while self._cancels and self._cancels[0] <= at_us:
            asked_us = self._cancels.pop(0)
            yield Fact(asked_us, HOST, "cancel_requested", None, {"via": "stop"})
        match line.dir:
            case "out":
                yield Chunk(at_us, AGENT, "data", EXCHANGE, (line.text or "").encode())
            case "end":
                yield from _ended(at_us, line.text or "")


def _ended(at_us: int, how: str) -> Iterator[Captured]:
    """The body ended, and nobody knows a receipt."""
    yield Over(at_us, AGENT, "data", EXCHANGE)
    if how == CLEAN:
        yield Fact(at_us, AGENT, "end", EXCHANGE, {})
    else:
        by = "client" if how in GIVEN_UP else "upstream"
        yield Fact(at_us, AGENT, "cut", EXCHANGE, {"by": by})
    yield Fact(at_us, HOST, "closed", None, {})
    yield Fact(at_us, HOST, "unreconciled", None, {})


def _cancels(calls: list[Json]) -> Iterator[int]:
    """When the host called to stop the turn: entries of name, time in ms and answer."""
    for call in calls:
        match call:
            case ["stop", int() | float() as at_ms, [200, *_]]:
                yield round(at_ms * 1000)
            case ["respond", "STOP", int() | float() as at_ms, [200, *_]]:
                yield round(at_ms * 1000)


def _response(head: str) -> dict[str, Json]:
    """The status line and headers of an answer; without them it is a stream that began well."""
    first, *rest = head.split("\r\n") if head else ["HTTP/1.1 200 OK"]
    status = first.split(" ")[1:2]
    headers: dict[str, Json] = {"content-type": "text/event-stream"}
    for line in rest:
        name, colon, value = line.partition(":")
        if colon and name.lower() != "transfer-encoding":
            headers[name.strip().lower()] = value.strip()
    return {"status": int(status[0]) if status and status[0].isdigit() else 0, "headers": headers}
