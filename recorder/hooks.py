"""The proxy library's hooks, turned into what the sink is told of each exchange."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from turnreel.wire.units import Json

from .exchanges import cut_by, decoded, is_delimited_by_close, joined
from .sink import Sink

if TYPE_CHECKING:
    from mitmproxy.http import HTTPFlow, Response

    from .proxy import Upstream


def refusal() -> Response:
    """The answer to who does not say the token. It tells nothing, and nothing of it is recorded."""
    from mitmproxy.http import Response

    return Response.make(403, b"", {"connection": "close"})


class ExchangeHooks:
    """The addon: turns the library's hooks into what the sink is told. Hooks run on the loop, in
    the order of the wire, and never await.
    """

    def __init__(self, sink: Sink, upstreams: Mapping[str, Upstream]) -> None:
        """`upstreams` are told apart by the library's name for where a client came in."""
        self._sink = sink
        self._upstreams = upstreams
        self._numbers = {upstream.track: 0 for upstream in upstreams.values()}
        self._refused: set[str] = set()
        self._open: dict[str, tuple[str, int]] = {}
        self._offered: dict[str, str] = {}
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
        self._sink.request(*exchange, flow.request.method, flow.request.path, fields, body)

    def responseheaders(self, flow: HTTPFlow) -> None:
        if flow.id not in self._open or flow.response is None:
            return
        track, exchange = self._open[flow.id]
        response = flow.response
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
        self._close(flow.id, "end", {})

    def error(self, flow: HTTPFlow) -> None:
        self._refused.discard(flow.id)
        self._offered.pop(flow.id, None)
        by = cut_by(flow.error.msg if flow.error else "")
        if flow.response is None and by != "client" and flow.id in self._open:
            # The client gets this answer from the proxy: upstream gave none.
            made: dict[str, Json] = {"status": 502, "headers": {}, "made_by": "proxy"}
            track, exchange = self._open[flow.id]
            self._sink.fact(track, "response", made, exchange)
        self._close(flow.id, "cut", {"by": by})

    def _close(self, flow_id: str, code: str, fields: dict[str, Json]) -> None:
        if (exchange := self._open.pop(flow_id, None)) is None:
            return  # broken off before its request was complete
        track, number = exchange
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
            self._close(flow_id, "cut", {"by": "unknown"})
