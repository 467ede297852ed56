"""The recording proxy: mitmproxy, embedded, in reverse mode.

Every chunk of a response is handed on as it came and told to the sink on the way. Each upstream
is one track of the session and listens on a port of its own on loopback, unless told otherwise.
Only this module and its hooks know mitmproxy, and only their use imports it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import warnings
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from turnreel.wire.addresses import base_url

from .doors import Door
from .errors import RecorderError
from .hooks import ExchangeHooks
from .sink import Sink

SETTLE_SECONDS: Final = 2.0
"""How long exchanges that are still open may take to end when the proxy stops."""

_SILENT_SECONDS: Final = 24 * 3600
"""A model may think for longer than the library's usual ten minutes of silence."""


class Upstream(msgspec.Struct, frozen=True):
    """Where the requests of `track` go: `url` is a base URL, perhaps with a path. They come in by
    `door`.
    """

    track: str
    url: str
    door: Door = Door()


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
    async with _running(_library(), upstreams, sink, settle_seconds) as urls:
        yield urls


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
        lambda: _UpstreamTls(tlsconfig.TlsConfig()),
        disable_h2c.DisableH2C,
        upstream_auth.UpstreamAuth,
    )
    return _Library(options.Options, Master, proxyserver.Proxyserver, others)


class _UpstreamTls:
    """The library's own addon, for TLS to upstreams alone. Clients speak plain http, so there is no
    certificate authority for them, neither on the disk nor elsewhere.
    """

    def __init__(self, tls: Any) -> None:
        self._tls = tls

    def load(self, loader: Any) -> None:
        self._tls.load(loader)

    def tls_start_server(self, start: Any) -> None:
        self._tls.tls_start_server(start)


@contextlib.asynccontextmanager
async def _running(
    library: _Library,
    upstreams: Sequence[Upstream],
    sink: Sink,
    settle_seconds: float,
) -> AsyncIterator[dict[str, str]]:
    modes = [_mode(upstream) for upstream in upstreams]
    hooks = ExchangeHooks(sink, dict(zip(modes, upstreams, strict=True)))
    with _quiet():
        master = library.master(library.options(mode=modes))
        server = library.proxyserver()
        master.addons.add(server, *(make() for make in library.other_addons), hooks)
        # A lazy upstream connection: an eager one that is refused leaves no exchange at all.
        wanted = {"connection_strategy": "lazy", "http2": False, "tcp_timeout": _SILENT_SECONDS}
        known = master.options.keys()  # the options of addons exist from here on
        master.options.update(**{k: v for k, v in wanted.items() if k in known})
        serving = asyncio.create_task(master.run())
        try:
            await asyncio.wait(
                [serving, asyncio.ensure_future(hooks.up.wait())],
                return_when=asyncio.FIRST_COMPLETED,
            )
            yield _base_urls(server, upstreams, modes)
            await hooks.settle(settle_seconds)
        finally:
            hooks.abandon()
            await server.servers.update([])
            await _hang_up(server)
            master.shutdown()
            await serving


def _check(url: str) -> None:
    if base_url(url) is None:
        raise RecorderError(
            "not a base URL" if "@" in url else f"not a base URL: {url}",
            "give scheme and host, like https://api.anthropic.com",
        )


def _mode(upstream: Upstream) -> str:
    parts = urlsplit(upstream.url)
    host = f"[{upstream.door.host}]" if ":" in upstream.door.host else upstream.door.host
    return f"reverse:{parts.scheme}://{parts.netloc}@{host}:{upstream.door.port}"


def _base_urls(server: Any, upstreams: Sequence[Upstream], modes: Sequence[str]) -> dict[str, str]:
    """Each track's URL, with the port that was bound."""
    urls = {}
    for upstream, mode in zip(upstreams, modes, strict=True):
        instance = next((s for s in server.servers if s.mode.full_spec == mode), None)
        if instance is None or not instance.listen_addrs:
            cause = getattr(instance, "last_exception", None)
            raise RecorderError(
                f"cannot listen on {upstream.door.host}:{upstream.door.port}:"
                f" {cause or 'not started'}",
                "choose another port, or 0 for a free one",
            )
        port = instance.listen_addrs[0][1]
        urls[upstream.track] = upstream.door.url(port, urlsplit(upstream.url).path)
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
