"""Doors: where a proxy can be reached, and who may come in.

A provider's proxy hands on whatever it is asked, with the asker's credentials. On loopback that is
the business of this machine's user; where others can reach it (a container's network), a token
stands in the base URL: the first part of every path. It never reaches the provider or a cassette.
"""

from __future__ import annotations

import hmac
import re
import secrets
from typing import Final

import msgspec

from turnreel.wire.addresses import is_loopback

from .errors import RecorderError

LOOPBACK: Final = "127.0.0.1"
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{16,128}")
_ADDRESS: Final = re.compile(r"(?:\[([0-9A-Fa-f:.%]+)\]|([^\s\[\]:/]*)):([0-9]{1,5})")


class Door(msgspec.Struct, frozen=True, kw_only=True):
    """A proxy listens on `host`:`port`, 0 being a free one. With a `token`, it answers those alone
    who say it.
    """

    host: str = LOOPBACK
    port: int = 0
    token: str | None = None

    def admitted(self, path: str) -> str | None:
        """The path that was asked for, without the token; None if it was not said. Takes as long
        for a wrong token as for the right one.
        """
        if self.token is None:
            return path
        said, slash, rest = path.removeprefix("/").partition("/")
        if hmac.compare_digest(said.encode("utf-8", "replace"), self.token.encode()):
            return slash + rest if slash else "/"
        return None

    def url(self, port: int, path: str) -> str:
        """The base URL of clients: the bound `port`, the upstream's own `path`. A host that stands
        for every address is reached by loopback from here.
        """
        host = LOOPBACK if self.host in ("", "0.0.0.0", "::") else self.host
        shown = f"[{host}]" if ":" in host else host
        token = f"/{self.token}" if self.token else ""
        return f"http://{shown}:{port}{token}{path}"


def door(address: str | None = None, token: str | None = None) -> Door:
    """The door at `address`, as ``HOST:PORT``; on loopback unless said. One that others can reach
    gets a token of its own if none is given. Raises `RecorderError` for what is no address, and for
    a token that could be guessed or does not fit into a URL.
    """
    if token is not None and not _TOKEN.fullmatch(token):
        raise RecorderError(
            "not a token for a URL",
            "give 16 to 128 letters, digits, - and _, as from: openssl rand -hex 16",
        )
    if address is None:
        return Door(token=token)
    said = _ADDRESS.fullmatch(address)
    if said is None or int(said[3]) > 65_535:
        raise RecorderError(f"not an address to listen on: {address}", "write HOST:PORT")
    host = said[1] or said[2]
    if token is None and not is_loopback(host):
        token = secrets.token_urlsafe(24)
    return Door(host=host, port=int(said[3]), token=token)
