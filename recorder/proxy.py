"""The recording proxy: mitmproxy, embedded, in reverse mode.

Every chunk of a response is handed on as it came and told to the sink on the way. Each upstream
is one track of the session and listens on a port of its own on loopback, unless told otherwise.
Only this module knows mitmproxy, and only its use imports it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
import tempfile
import warnings
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import msgspec

from turnreel.wire.units import Json

from .errors import RecorderError
from .exchanges import cut_by, decoded, is_delimited_by_close, joined
from .sink import Sink

if TYPE_CHECKING:
    from mitmproxy.http import HTTPFlow

SETTLE_SECONDS: Final = 2.0
"""How long exchanges that are still open may take to end when the proxy stops."""

_SILENT_SECONDS: Final = 24 * 3600
"""A model may think for longer than the library's usual ten minutes of silence."""


class Upstream(msgspec.Struct, frozen=True):
    """Where the requests of `track` go: `url` is a base URL, perhaps with a path. The proxy
    listens on `host`:`port`; port 0 takes a free one.
    """

    track: str
    url: str
    host: str = "127.0.0.1"
    port: int = 0


@contextlib.asynccontextmanager
async def proxy(
    upstreams: Sequence[Upstream], sink: Sink, settle_seconds: float = SETTLE_SECONDS
) -> AsyncIterator[dict[str, str]]:
    """Run a recording proxy; the value is each track's base URL for the client.

    Told to `sink` for each exchange, numbered from 1 in its track: the request; the fact
    ``response``; the stream ``data``; then exactly one of the facts ``end`` and ``cut``. A
    failed, cut or cancelled exchange is told like any other. One proxy a process (the library
    keeps global state). Raises `RecorderError`: no mitmproxy, not a base URL, port in use.
    """
    for upstream in upstreams:
        _check(upstream.url)
    library = _library()
    folder = await asyncio.to_thread(tempfile.mkdtemp, prefix="turnreel-")  # private: mode 0700
    try:
        async with _running(library, upstreams, sink, folder, settle_seconds) as urls:
            yield urls
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


class _Library(msgspec.Struct):
    """What of mitmproxy is used, imported once asked for."""

    options: Any
    master: Any
    proxyserver: Any
    other_addons: tuple[Callable[[], object], ...]


def _library() -> _Library:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # among the library's own libraries
            from mitmproxy import options
            from mitmproxy.addons import (
                core,
                disable_h2c,
                next_layer,
                proxyserver,
                tlsconfig,
                upstream_auth,
            )
            from mitmproxy.master import Master
    except ImportError:
        raise RecorderError(
            "recording http needs mitmproxy", "pip install 'turnreel[record]'"
        ) from None
    others = (
        core.Core,
        next_layer.NextLayer,
        tlsconfig.TlsConfig,
        disable_h2c.DisableH2C,
        upstream_auth.UpstreamAuth,
    )
    return _Library(options.Options, Master, proxyserver.Proxyserver, others)


@contextlib.asynccontextmanager
async def _running(
    library: _Library,
    upstreams: Sequence[Upstream],
    sink: Sink,
    folder: str,
    settle_seconds: float,
) -> AsyncIterator[dict[str, str]]:
    modes = [_mode(upstream) for upstream in upstreams]
    recorder = _Recorder(sink, {m: u.track for m, u in zip(modes, upstreams, strict=True)})
    with _quiet():
        master = library.master(library.options(confdir=folder, mode=modes))
        server = library.proxyserver()
        master.addons.add(server, *(make() for make in library.other_addons), recorder)
        # A lazy upstream connection: an eager one that is refused leaves no exchange at all.
        wanted = {"connection_strategy": "lazy", "http2": False, "tcp_timeout": _SILENT_SECONDS}
        known = master.options.keys()  # the options of addons exist from here on
        master.options.update(**{k: v for k, v in wanted.items() if k in known})
        serving = asyncio.create_task(master.run())
        try:
            await recorder.up.wait()
            yield _base_urls(server, upstreams, modes)
            await recorder.settle(settle_seconds)
        finally:
            recorder.abandon()
            await server.servers.update([])
            await _hang_up(server)
            master.shutdown()
            await serving


class _Recorder:
    """The addon: turns the library's hooks into what the sink is told. Hooks run on the loop, in
    the order of the wire, and never await.
    """

    def __init__(self, sink: Sink, tracks: dict[str, str]) -> None:
        self._sink = sink
        self._tracks = tracks
        self._numbers = dict.fromkeys(tracks.values(), 0)
        self._open: dict[str, tuple[str, int]] = {}
        self._offered: dict[str, str] = {}
        self._all_over = asyncio.Event()
        self._all_over.set()
        self.up = asyncio.Event()

    def running(self) -> None:
        self.up.set()

    def requestheaders(self, flow: HTTPFlow) -> None:
        """Ask for an unencoded body: what is read on the way need not be unpacked first."""
        self._offered[flow.id] = flow.request.headers.get("accept-encoding", "")
        flow.request.headers["accept-encoding"] = "identity"

    def request(self, flow: HTTPFlow) -> None:
        track = self._tracks[flow.client_conn.proxy_mode.full_spec]
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


def _check(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query:
        raise RecorderError(
            f"not a base URL: {url}", "give scheme and host, like https://api.anthropic.com"
        )


def _mode(upstream: Upstream) -> str:
    parts = urlsplit(upstream.url)
    return f"reverse:{parts.scheme}://{parts.netloc}@{upstream.host}:{upstream.port}"


def _base_urls(server: Any, upstreams: Sequence[Upstream], modes: Sequence[str]) -> dict[str, str]:
    """Each track's URL, with the port that was bound."""
    urls = {}
    for upstream, mode in zip(upstreams, modes, strict=True):
        instance = next((s for s in server.servers if s.mode.full_spec == mode), None)
        if instance is None or not instance.listen_addrs:
            cause = getattr(instance, "last_exception", None)
            raise RecorderError(
                f"cannot listen on {upstream.host}:{upstream.port}: {cause or 'not started'}",
                "choose another port, or 0 for a free one",
            )
        port = instance.listen_addrs[0][1]
        host = f"[{upstream.host}]" if ":" in upstream.host else upstream.host
        urls[upstream.track] = f"http://{host}:{port}{urlsplit(upstream.url).path}"
    return urls


async def _hang_up(server: Any) -> None:
    """Close what clients still hold open, and wait until the library has noticed."""
    for connection in list(server.connections.values()):
        transport = connection.transports.get(connection.client)
        if transport is not None and transport.handler is not None:
            transport.handler.cancel("the recording ended")
    for _ in range(100):
        if not server.connections:
            return
        await asyncio.sleep(0.01)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """The library logs what the sink is told anyway, and more than anybody should read."""
    logger = logging.getLogger("mitmproxy")
    before = logger.propagate
    handler = logging.NullHandler()
    logger.addHandler(handler)
    logger.propagate = False
    try:
        yield
    finally:
        logger.propagate = before
        logger.removeHandler(handler)
