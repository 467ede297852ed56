"""Addresses to listen on."""

from __future__ import annotations

import errno
import socket

from .errors import ServeError

BACKLOG = 1024


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
