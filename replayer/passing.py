"""What a relay passes on upstream: headers of what is said, not of the connection it is said on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import aiohttp

PATIENT: Final = aiohttp.ClientTimeout(total=None, sock_connect=30)
"""A model may think for as long as it likes; a machine that is not there is told by now."""
OF_CONNECTION: Final = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-encoding",  # the body was unpacked on its way in
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "proxy-authorization",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""Headers of a connection, not of what is said on it."""
OF_HANDSHAKE: Final = "sec-websocket-"
"""How those begin that are made for one WebSocket. What is negotiated with them is said anew."""


def passed_on(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The headers that go on, in their order."""
    return [
        (name, value)
        for name, value in headers
        if name.lower() not in OF_CONNECTION and not name.lower().startswith(OF_HANDSHAKE)
    ]
