"""What the capturing edges (stdio, proxy) speak to, and in which words.

An edge forwards first and tells afterwards. Telling never raises and never awaits; it may block
for as long as the sealing process is behind (a bounded stall beats loss), which is how
back-pressure reaches the source.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from turnreel.wire.units import Json


class Sink(Protocol):
    """Receives what an edge saw, stamped with the session's clock at the call."""

    def chunk(self, track: str, code: str, data: bytes, exchange: int | None = None) -> None:
        """Bytes of the stream (track, code, exchange), as they were read. No unit is implied."""

    def over(self, track: str, code: str, exchange: int | None = None) -> None:
        """That stream ended: a partial unit still held is now a torn one."""

    def fact(
        self, track: str, code: str, fields: Mapping[str, Json], exchange: int | None = None
    ) -> None:
        """A record that is not part of a byte stream: a signal, an exit, a response head."""

    def request(
        self,
        track: str,
        exchange: int,
        method: str,
        path: str,
        headers: list[tuple[str, str]],
        body: bytes,
    ) -> None:
        """An http request. Of the body only features are kept, and never by this process."""
