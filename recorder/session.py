"""One session being recorded: one clock, one order, one way out."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final, Protocol

from turnreel.wire.units import Json

from .exchanges import joined
from .messages import Asked, Chunk, Fact, Message, Over

REQUEST_LIMIT: Final = 64 << 20
"""Bytes a request body may have for its features to be looked for."""


class Taker(Protocol):
    """Takes messages in order: the sealing process, or something that counts them."""

    def put(self, message: Message) -> None:
        """The next message. Never raises."""


class Session:
    """The `Sink` of a session's edges: stamps what they tell and hands it over.

    All edges share its monotonic clock, which starts when the session is made. Edges run on one
    thread, so what is told first is recorded first.
    """

    def __init__(self, taker: Taker) -> None:
        self._taker = taker
        self._began_ns = time.monotonic_ns()

    def chunk(self, track: str, code: str, data: bytes, exchange: int | None = None) -> None:
        self._taker.put(Chunk(self._now_us(), track, code, exchange, data))

    def over(self, track: str, code: str, exchange: int | None = None) -> None:
        self._taker.put(Over(self._now_us(), track, code, exchange))

    def fact(
        self, track: str, code: str, fields: Mapping[str, Json], exchange: int | None = None
    ) -> None:
        self._taker.put(Fact(self._now_us(), track, code, exchange, dict(fields)))

    def request(
        self,
        track: str,
        exchange: int,
        method: str,
        path: str,
        headers: list[tuple[str, str]],
        body: bytes,
    ) -> None:
        shown = body if len(body) <= REQUEST_LIMIT else b""
        told = Asked(self._now_us(), track, exchange, method, path, joined(headers), shown)
        self._taker.put(told)

    def _now_us(self) -> int:
        return (time.monotonic_ns() - self._began_ns) // 1000
