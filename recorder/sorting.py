"""Between a proxy before an agent's server and the session: exchanges are sorted by surface, and
what the host did beside them is told as its signals, on the same clock.

A stream that ended has `closed` its turn. Of one that was cut the host may still learn how it
ended: it asks how the run stands, or listens again, which `reopened` it. What nothing settled
until the recording ends is unreconciled. Whoever asks while nobody listens has no stream either.
"""

from __future__ import annotations

from collections.abc import Mapping

from turnreel.wire.units import Json

from .sink import Sink
from .surfaces import Call, call
from .tracks import HOST


class Sorter:
    """The `Sink` of a proxy before an agent's server. What comes on `track` is sorted; any other
    track passes.
    """

    def __init__(self, sink: Sink, track: str) -> None:
        self._sink = sink
        self._track = track
        self._calls: dict[int, Call] = {}
        self._refused: set[int] = set()
        self._listeners: dict[int, str] = {}
        self._waiting: dict[str, None] = {}  # closed runs, in order

    def request(
        self,
        track: str,
        exchange: int,
        method: str,
        path: str,
        headers: list[tuple[str, str]],
        body: bytes,
    ) -> None:
        if track != self._track:
            self._sink.request(track, exchange, method, path, headers, body)
            return
        if (found := call(method, path)) is None:
            return
        self._calls[exchange] = found
        self._begins(exchange, found)
        self._sink.request(found.track, exchange, method, path, headers, body)

    def chunk(self, track: str, code: str, data: bytes, exchange: int | None = None) -> None:
        if (sorted_ := self._sorted(track, exchange)) is not None:
            self._sink.chunk(sorted_, code, data, exchange)

    def over(self, track: str, code: str, exchange: int | None = None) -> None:
        if (sorted_ := self._sorted(track, exchange)) is not None:
            self._sink.over(sorted_, code, exchange)

    def fact(
        self, track: str, code: str, fields: Mapping[str, Json], exchange: int | None = None
    ) -> None:
        if (sorted_ := self._sorted(track, exchange)) is None:
            return
        if track != self._track or exchange is None:
            self._sink.fact(sorted_, code, fields, exchange)
            return
        if code == "response":
            self._answered(exchange, fields)
        self._sink.fact(sorted_, code, fields, exchange)
        if code in ("end", "cut"):
            self._ended(exchange, str(fields.get("by", "")))

    def finish(self) -> None:
        """The recording is over, and with it the time for a receipt."""
        for run in self._waiting:
            self._tell("unreconciled", run)
        self._waiting = {}

    def _sorted(self, track: str, exchange: int | None) -> str | None:
        if track != self._track or exchange is None:
            return track
        found = self._calls.get(exchange)
        return None if found is None else found.track

    def _begins(self, exchange: int, found: Call) -> None:
        """What a request does by being sent. A stop counts from here: its effect may come through
        the stream before its answer does.
        """
        match found:
            case Call(does="stop", run=str(run)):
                self._tell("cancel_requested", run, via="stop")
            case Call(does="steer", run=str(run)):
                self._tell("message", run, via="steer")
            case Call(does="listen", run=str(run)):
                self._listeners[exchange] = run
            case Call(does="ask", run=str(run)) if run not in self._listeners.values():
                self._wait_for(run)

    def _answered(self, exchange: int, fields: Mapping[str, Json]) -> None:
        status = fields.get("status")
        if not isinstance(status, int) or status >= 400:
            self._refused.add(exchange)
        elif (run := self._listeners.get(exchange)) in self._waiting and run is not None:
            del self._waiting[run]
            self._tell("reopened", run)

    def _ended(self, exchange: int, cut_by: str) -> None:
        """A stream that nobody is known to have broken off merely stops; one that was refused never
        was.
        """
        found = self._calls.pop(exchange)
        run = self._listeners.pop(exchange, None)
        is_refused = exchange in self._refused
        self._refused.discard(exchange)
        if cut_by == "unknown" or is_refused:
            return
        if found.does == "stream":
            self._tell("closed", str(exchange))
            self._tell("unreconciled", str(exchange))
        elif run is not None and run not in self._listeners.values():
            self._wait_for(run)
            if not cut_by:
                del self._waiting[run]
                self._tell("unreconciled", run)

    def _wait_for(self, run: str) -> None:
        if run not in self._waiting:
            self._waiting[run] = None
            self._tell("closed", run)

    def _tell(self, code: str, turn: str, **fields: Json) -> None:
        self._sink.fact(HOST, code, {"turn": turn, **fields})
