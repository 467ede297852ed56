"""Who can reach an address, and what is a base URL."""

from __future__ import annotations

import ipaddress
from urllib.parse import SplitResult, urlsplit


def is_loopback(host: str) -> bool:
    """Whether `host`, a name or an address without a port, is this machine's alone."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def base_url(url: str) -> SplitResult | None:
    """The parts of a base URL: http or https, a host, perhaps a port and a path; None if `url` is
    none. One that holds a password is none: it would stand in every message.
    """
    try:
        parts = urlsplit(url)
        is_place = bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, a bracket that is not closed
        return None
    is_bare = not (parts.query or parts.fragment or "@" in parts.netloc)
    is_plain = url.isascii() and url.isprintable() and " " not in url
    known = parts.scheme in ("http", "https")
    return parts if known and is_place and is_bare and is_plain else None
