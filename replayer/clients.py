"""Whose request it is: each client of a server goes through the recordings on its own.

Rules of this file
- A client that says who it is, is that one: `CLIENT_HEADER`, then the session headers that agents
  send (Claude Code, Codex). Retries, subagents and side requests of a session carry them alike.
- One that does not is told by its credential: every SDK sends one, and whoever wants several
  clients gives each its own. It is kept as a digest.
- Whoever says neither is one client with all others who do not. Connections tell nothing: pools
  share them, and a retry comes on a new one.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Final, Generic, TypeVar

T = TypeVar("T")

CLIENT_HEADER: Final = "x-turnreel-client"
SESSION_HEADERS: Final = (CLIENT_HEADER, "x-claude-code-session-id", "session-id", "session_id")
CREDENTIAL_HEADERS: Final = ("x-api-key", "authorization", "api-key")
REMEMBERED: Final = 1024
"""How many clients are remembered; the one that was away for the longest begins anew."""


def client_of(headers: Mapping[str, str]) -> bytes:
    """A key that is equal for requests of the same client; it tells nothing of what they said.
    `headers` finds names whatever their case.
    """
    for name in (*SESSION_HEADERS, *CREDENTIAL_HEADERS):
        if said := headers.get(name):
            return hashlib.sha256(f"{name}\0{said}".encode("utf-8", "replace")).digest()
    return b""


class Clients(Generic[T]):
    """What `new` makes for each client, while it is remembered."""

    def __init__(self, new: Callable[[], T]) -> None:
        self._new = new
        self._known: OrderedDict[bytes, tuple[int, T]] = OrderedDict()
        self._met = 0

    def of(self, headers: Mapping[str, str]) -> tuple[int, T]:
        """The client that sent these headers: its number, from 1 in order of appearance, and what
        was made for it.
        """
        key = client_of(headers)
        if key not in self._known:
            self._met += 1
            self._known[key] = self._met, self._new()
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        return self._known[key]

    def __len__(self) -> int:
        return len(self._known)

    def forget(self) -> None:
        """All begin anew."""
        self._known.clear()
