"""Where a server listens, and how long and how much it listens to one client.

Rules of this file
- A connection without a request is closed after `REQUEST_S`, be it that no head came, half of one,
  or none behind an answer. A body that is not there `REQUEST_S` behind its head is given up.
- Clients wait for each other nowhere: whoever is slow costs a connection for so long, and no more.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web
from aiohttp.http_exceptions import ContentEncodingError, HttpProcessingError
from aiohttp.web import RequestPayloadError

from .errors import ServeError

BACKLOG: Final = 1024
REQUEST_LIMIT: Final = 64 * 1024 * 1024
REQUEST_S: Final = 120.0
"""How long a request's head may take to come, and then its body. On loopback the largest body takes
a fraction of a second. It is longer than any client's pool keeps an idle connection (90 s), so that
none is hung up on while it asks.
"""

_CLOSING_S: Final = 0.2

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Unreadable(Exception):
    """A request whose body will not be had: the status that says why, and the words."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


async def body_of(request: web.Request) -> bytes:
    """The whole body of a request. Raises Unreadable."""
    try:
        async with asyncio.timeout(REQUEST_S):
            return await request.read()
    except web.HTTPRequestEntityTooLarge as error:
        most = request.client_max_size
        raise Unreadable(413, f"a request has at most {most} B") from error
    except (RequestPayloadError, ContentEncodingError) as error:
        raise Unreadable(400, "the request's body cannot be read") from error
    except TimeoutError as error:
        raise Unreadable(408, f"the request did not come within {REQUEST_S:g} s") from error


@asynccontextmanager
async def hosted(app: web.Application, host: str, port: int) -> AsyncIterator[str]:
    """Let `app` answer on an address while the block runs. Yields the base URL. Handlers are
    cancelled when their client leaves. Raises ServeError if the address cannot be had.
    """
    heads = _Heads()
    app.middlewares.insert(0, heads.came)
    runner = web.AppRunner(
        app,
        access_log=None,
        handler_cancellation=True,
        keepalive_timeout=REQUEST_S,
        logger=_LOG,
        shutdown_timeout=_CLOSING_S,
    )
    await runner.setup()
    try:
        assert runner.server is not None, "it is set up"
        listener = listen(host, port)
        accept = heads.accepting(runner.server)
        loop = asyncio.get_running_loop()
        server = await loop.create_server(accept, sock=listener, backlog=BACKLOG)
        try:
            yield url_of(listener, host)
        finally:
            server.close()
    finally:
        await runner.cleanup()
        heads.forget()


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether a failure is a server's: that a client spoke no HTTP, or sent a body that cannot be
    read, is its own, and answered.
    """
    theirs = HttpProcessingError | RequestPayloadError
    return not (record.exc_info and isinstance(record.exc_info[1], theirs))


_LOG: Final = logging.getLogger(__name__)
_LOG.addFilter(_is_ours)


class _Heads:
    """Connections whose first request has not come. Behind an answer aiohttp itself waits no longer
    than it is told to; before the first one it does in some versions.
    """

    def __init__(self) -> None:
        self._due: dict[asyncio.BaseProtocol, asyncio.TimerHandle] = {}

    def accepting(self, server: web.Server) -> Callable[[], web.RequestHandler]:
        """What makes the protocol of a connection that `server` answers."""
        loop = asyncio.get_running_loop()

        def accept() -> web.RequestHandler:
            protocol = server()
            self._due[protocol] = loop.call_later(REQUEST_S, self._hang_up, protocol)
            return protocol

        return accept

    @web.middleware
    async def came(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """A request has come."""
        timer = self._due.pop(request.protocol, None)
        if timer is not None:
            timer.cancel()
        return await handler(request)

    def forget(self) -> None:
        """Nobody is waited for any more."""
        for timer in self._due.values():
            timer.cancel()
        self._due.clear()

    def _hang_up(self, protocol: web.RequestHandler) -> None:
        del self._due[protocol]
        protocol.force_close()


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises ServeError if the address cannot be had."""
    if not 0 <= port <= 65_535:
        raise ServeError(f"{port} is not a port", "0 takes a free one")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise ServeError(f"port {port} on {host} is in use", "choose another, or 0") from error
        raise ServeError(f"cannot listen on {host}:{port}: {error.strerror or error}") from error


def url_of(listener: socket.socket, host: str) -> str:
    """The base URL of whoever listens there."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}"
