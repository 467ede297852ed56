"""What the end of an http exchange says, read from the proxy library's own words.

The library reports every broken exchange by a sentence. It cannot tell a reset from a close, so
neither do we: a cut says who and where, and whoever replays chooses how.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

By = Literal["client", "upstream", "unknown"]

_CLIENT: Final = "Client disconnected"
_UPSTREAM: Final = (
    "HTTP/1 protocol error",
    "server closed connection",
    "unexpected server response",
    "Cannot parse HTTP response",
    "peer closed connection",
    "Connect call failed",
    "[Errno",
    "TLS handshake",
    "ertificate verify failed",
)


def cut_by(message: str) -> By:
    """Who broke an exchange off, by the proxy library's error `message`. A sentence nobody knows
    is a cut by "unknown": it is recorded, never guessed.
    """
    if message.startswith(_CLIENT):
        return "client"
    if any(words in message for words in _UPSTREAM):
        return "upstream"
    return "unknown"


def is_delimited_by_close(method: str, status: int, http: str, headers: dict[str, str]) -> bool:
    """Whether the body of such a response ends where the connection does, so that a truncated
    one looks complete. `http` is the version, ``HTTP/1.1``; `headers` have lower-case names.
    """
    if method == "HEAD" or status in (204, 304) or 100 <= status < 200:
        return False
    if not http.startswith("HTTP/1"):
        return False
    return "content-length" not in headers and "transfer-encoding" not in headers


def decoded(fields: Iterable[tuple[bytes, bytes]]) -> list[tuple[str, str]]:
    """Header fields with lower-case names, as text."""
    return [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in fields]


def joined(fields: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Header fields as a map; a repeated name's values joined by ", "."""
    headers: dict[str, str] = {}
    for name, value in fields:
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers
