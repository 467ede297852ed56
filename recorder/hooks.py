"""The proxy library's hooks, turned into what the sink is told of each exchange."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from turnreel.wire.units import Json

from .exchanges import cut_by, decoded, is_delimited_by_close, joined
from .sink import Sink

if TYPE_CHECKING:
    from mitmproxy.http import HTTPFlow, Response

    from .proxy import Upstream


BROKEN_OFF: Final = 1006
"""The library's code for a websocket that ended without a closing frame (RFC 6455 7.1.5)."""


def refusal() -> Response:
    """The answer to who does not say the token. It tells nothing, and nothing of it is recorded."""
    from mitmproxy.http import Response

    return Response.make(403, b"", {"connection": "close"})


class _Asked(NamedTuple):
    """A request, as the sink is to be told of it."""

    method: str
    path: str
    headers: list[tuple[str, str]]
    body: bytes


class ExchangeHooks:
    """The addon: turns the library's hooks into what the sink is told. Hooks run on the loop, in
    the order of the wire, and never await.

    A request for a websocket waits for its answer: if it is one, the exchange begins with ``open``
    and has messages, whole and unpacked, however they travelled; else it is like any other.
    """

    def __init__(self, sink: Sink, upstreams: Mapping[str, Upstream]) -> None:
        """`upstreams` are told apart by the library's name for where a client came in."""
        self._sink = sink
        self._upstreams = upstreams
        self._numbers = {upstream.track: 0 for upstream in upstreams.values()}
        self._refused: set[str] = set()
        self._open: dict[str, tuple[str, int]] = {}
        self._offered: dict[str, str] = {}
        self._upgrades: dict[str, _Asked] = {}
        self._all_over = asyncio.Event()
        self._all_over.set()
        self.up = asyncio.Event()

    def running(self) -> None:
        self.up.set()

    def requestheaders(self, flow: HTTPFlow) -> None:
        """Let in who may come in. Ask for an unencoded body: what is read on the way need not be
        unpacked first.
        """
        admitted = self._upstream(flow).door.admitted(flow.request.path)
        if admitted is None:
            self._refused.add(flow.id)
            return
        flow.request.path = admitted
        self._offered[flow.id] = flow.request.headers.get("accept-encoding", "")
        flow.request.headers["accept-encoding"] = "identity"

    def request(self, flow: HTTPFlow) -> None:
        if flow.id in self._refused:
            self._refused.discard(flow.id)
            flow.response = refusal()
            return
        track = self._upstream(flow).track
        self._numbers[track] += 1
        exchange = self._open[flow.id] = track, self._numbers[track]
        self._all_over.clear()
        offered = self._offered.pop(flow.id, "")
        fields = [f for f in decoded(flow.request.headers.fields) if f[0] != "accept-encoding"]
        if offered:
            fields.append(("accept-encoding", offered))
        body = flow.request.raw_content or b""
        asked = _Asked(flow.request.method, flow.request.path, fields, body)
        if flow.request.headers.get("upgrade", "").lower() == "websocket":
            self._upgrades[flow.id] = asked
        else:
            self._request(*exchange, asked)

    def responseheaders(self, flow: HTTPFlow) -> None:
        if flow.id not in self._open or flow.response is None:
            return
        track, exchange = self._open[flow.id]
        response = flow.response
        if response.status_code == 101 and (asked := self._upgrades.pop(flow.id, None)):
            told: dict[str, Json] = {"path": asked.path, "headers": dict(joined(asked.headers))}
            self._sink.fact(track, "open", told, exchange)
            return
        self._not_upgraded(flow.id)
        headers = joined(decoded(response.headers.fields))
        fields: dict[str, Json] = {"status": response.status_code, "headers": dict(headers)}
        if is_delimited_by_close(
            flow.request.method, response.status_code, response.http_version, headers
        ):
            fields["framing"] = "close"
        self._sink.fact(track, "response", fields, exchange)
        if response.status_code != 101:
            response.stream = self._tap(track, exchange)

    def _upstream(self, flow: HTTPFlow) -> Upstream:
        return self._upstreams[flow.client_conn.proxy_mode.full_spec]

    def _tap(self, track: str, exchange: int) -> Callable[[bytes], bytes]:
        """Called with each chunk before it goes out, and with b"" at a clean end. An exception
        in here would break the stream it watches, so none leaves.
        """
        sink = self._sink

        def tap(chunk: bytes) -> bytes:
            if chunk:
                with contextlib.suppress(Exception):
                    sink.chunk(track, "data", chunk, exchange)
            return chunk

        return tap

    def response(self, flow: HTTPFlow) -> None:
        if flow.websocket is None:
            self._close(flow.id, "end", {})

    def websocket_message(self, flow: HTTPFlow) -> None:
        if flow.websocket is None or flow.id not in self._open:
            return
        track, exchange = self._open[flow.id]
        message = flow.websocket.messages[-1]
        flow.websocket.messages.clear()  # nobody else asks for them, and they grow for ever
        with contextlib.suppress(Exception):
            code = "send" if message.from_client else "receive"
            self._sink.chunk(track, code, message.content, exchange)

    def websocket_end(self, flow: HTTPFlow) -> None:
        """Closed with a code; or broken off, for which the library has a code that nobody sends."""
        if flow.websocket is None:
            return
        by = "client" if flow.websocket.closed_by_client else "upstream"
        code = flow.websocket.close_code
        if code is None or code == BROKEN_OFF:
            self._close(flow.id, "cut", {"by": by})
            return
        fields: dict[str, Json] = {"code": int(code), "by": by}
        if flow.websocket.close_reason:
            fields["reason"] = flow.websocket.close_reason
        self._close(flow.id, "close", fields)

    def error(self, flow: HTTPFlow) -> None:
        self._refused.discard(flow.id)
        self._offered.pop(flow.id, None)
        self._not_upgraded(flow.id)
        by = cut_by(flow.error.msg if flow.error else "")
        if flow.response is None and by != "client" and flow.id in self._open:
            # The client gets this answer from the proxy: upstream gave none.
            made: dict[str, Json] = {"status": 502, "headers": {}, "made_by": "proxy"}
            track, exchange = self._open[flow.id]
            self._sink.fact(track, "response", made, exchange)
        self._close(flow.id, "cut", {"by": by})

    def _request(self, track: str, exchange: int, asked: _Asked) -> None:
        self._sink.request(track, exchange, asked.method, asked.path, asked.headers, asked.body)

    def _not_upgraded(self, flow_id: str) -> None:
        """What asked for a websocket and got none was a request."""
        if (asked := self._upgrades.pop(flow_id, None)) is not None:
            self._request(*self._open[flow_id], asked)

    def _close(self, flow_id: str, code: str, fields: dict[str, Json]) -> None:
        if (exchange := self._open.pop(flow_id, None)) is None:
            return  # broken off before its request was complete
        track, number = exchange
        if code != "close":
            self._sink.over(track, "data", number)
        self._sink.fact(track, code, fields, number)
        if not self._open:
            self._all_over.set()

    async def settle(self, seconds: float) -> None:
        """Wait until no exchange is open, at most `seconds`."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._all_over.wait(), seconds)

    def abandon(self) -> None:
        """What is open now was broken off by our stopping."""
        for flow_id in list(self._open):
            self._not_upgraded(flow_id)
            self._close(flow_id, "cut", {"by": "unknown"})
