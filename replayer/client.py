"""The replay client: asks a served cassette for its exchanges, and leaves when told to, or where
the recorded client had left.

It speaks HTTP/1.1 on a plain socket, because it must tell what libraries hide: how many bytes
came before the end, and whether the end was the protocol's, a FIN or a RST. Its requests name
the exchange they want, so no request body has to be made up; real providers are not its target.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from typing import Final, Literal
from urllib.parse import urlsplit

import msgspec

from turnreel.wire.addresses import base_url
from turnreel.wire.sse import SseFramer
from turnreel.wire.units import Unit

from .arming import Arming
from .errors import ServeError
from .faults import Plan
from .leaving import Leaving, leaving_of
from .matching import EXCHANGE_HEADER
from .plan import require
from .resuming import Return, coming_back, resumed
from .schedule import schedule
from .script import Exchange
from .steps import Rejoin

HEAD_LIMIT: Final = 64 * 1024
READ_BYTES: Final = 64 * 1024
ANSWER_LIMIT: Final = 1 << 28
"""Bytes of an answer that are kept; nothing recorded comes near."""
SILENCE_S: Final = 900.0
"""How long a server may say nothing. Models think for minutes, and so does a server that plays one
at the recorded pace; what says nothing for longer than that is stuck.
"""

_HEX: Final = frozenset(b"0123456789abcdefABCDEF")

Arrived = Literal["complete", "short", "reset", "left", "silent"]
"""How an exchange ended for the client: as its protocol says, by a FIN too early, by a RST, because
the client left where it was to, or because nothing came for too long.
"""


class Fetched(msgspec.Struct, frozen=True):
    """What came back: `body` is decoded, as far as it came; `status` 0 if no head did. On a
    WebSocket `messages` are what it is made of, and `code` is the one with which it was closed.
    """

    status: int
    headers: dict[str, str]
    body: bytes
    ended: Arrived
    messages: tuple[bytes, ...] | None = None
    code: int | None = None

    @property
    def events(self) -> int:
        """Messages, or whole server-sent events in the body."""
        if self.messages is not None:
            return len(self.messages)
        return len(self.units)

    @property
    def units(self) -> list[Unit]:
        """The whole server-sent events in the body."""
        return [*SseFramer().feed(self.body)]


class ReplayClient:
    """Asks for exchanges and leaves where a plan's cancels say.

    `check` raises PlanError if a planned cancel did not happen.
    """

    def __init__(self, url: str, plan: Plan | None = None, *, silence_s: float = SILENCE_S) -> None:
        parts = base_url(url)
        if parts is None or parts.scheme != "http":
            shown = "what holds a password" if "@" in url else url
            raise ServeError(f"{shown} is no test server's URL", "as http://127.0.0.1:8101")
        self.url = url
        self.silence_s = silence_s
        self.plan = require(plan or Plan(), "client")
        self.arming = Arming(self.plan)
        self.check = self.arming.check
        self.counts = self.arming.counts

    async def ask(self, exchange: Exchange, body: bytes = b"{}") -> Fetched:
        """Request `exchange`; leave where an armed cancel says. What came in the end, if an armed
        reconnect made it ask again.
        """
        return (await self.follow(exchange, body))[-1]

    async def follow(self, exchange: Exchange, body: bytes = b"{}") -> tuple[Fetched, ...]:
        """Request `exchange` as `ask` does; all that came, one entry a request."""
        plan = schedule(exchange, self.plan, self.arming.armed)
        self.arming.reserve(plan.faults)
        fired: frozenset[int] = frozenset()
        came: list[Fetched] = []
        try:
            leaving = leaving_of(plan)
            first = Return(exchange.method, exchange.path, {})
            came.append(await self._fetch(exchange, first, body, leaving))
            if leaving is not None and came[0].ended == "left":
                fired = frozenset(leaving.faults)
                if isinstance(leaving.step, Rejoin):
                    again = coming_back(exchange, came[0].units, leaving.step.since)
                    rest = self.recorded_leaving(resumed(exchange, again.since))
                    came.append(await self._fetch(exchange, again, body, rest))
        finally:
            self.arming.settle(plan.faults, fired)
        return tuple(came)

    def recorded_leaving(self, exchange: Exchange) -> Leaving | None:
        """Where the recorded client left, at the plan's pace; None where it stayed."""
        return leaving_of(schedule(exchange, self.plan, ()))

    async def _fetch(
        self, exchange: Exchange, asked: Return, body: bytes, leaving: Leaving | None
    ) -> Fetched:
        return await fetch(
            self.url,
            asked.path,
            method=asked.method,
            body=body if asked.method == exchange.method else b"",
            headers={EXCHANGE_HEADER: str(exchange.number), **asked.headers},
            leaving=leaving,
            silence_s=self.silence_s,
        )


async def fetch(
    url: str,
    path: str = "/",
    *,
    method: str = "POST",
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
    leaving: Leaving | None = None,
    silence_s: float = SILENCE_S,
) -> Fetched:
    """One request on a connection of its own, until the answer has ended, `leaving` says so, or
    nothing came for `silence_s`. Raises ServeError if nobody listens at `url`, the answer is not
    HTTP, or it does not end.
    """
    target = urlsplit(url)
    host, port = target.hostname or "127.0.0.1", target.port or 80
    sock = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    sock.setblocking(False)
    loop = asyncio.get_running_loop()
    with sock:
        try:
            async with asyncio.timeout(silence_s):
                await loop.sock_connect(sock, (host, port))
        except OSError as error:
            told = error.strerror or str(error) or "does not answer"
            raise ServeError(f"{url}: {told}", "is it served?") from error
        lines = [
            f"{method} {target.path.rstrip('/')}{path} HTTP/1.1",
            f"host: {host}:{port}",
            "content-type: application/json",
            f"content-length: {len(body)}",
            "connection: close",
            *(f"{name}: {value}" for name, value in (headers or {}).items()),
        ]
        answer = _Answer(leaving)
        try:
            async with asyncio.timeout(silence_s):
                await loop.sock_sendall(sock, "\r\n".join([*lines, "", ""]).encode() + body)
            while answer.ended is None:
                async with asyncio.timeout(silence_s):
                    data = await loop.sock_recv(sock, READ_BYTES)
                answer.feed(data)
            if leaving is not None and answer.ended == "left":
                await asyncio.sleep(leaving.after_us / 1e6)
        except (ConnectionResetError, BrokenPipeError):
            answer.ended = "reset"
        except TimeoutError:
            answer.ended = "silent"
        return answer.fetched()


def endless() -> ServeError:
    """The error for an answer of more than `ANSWER_LIMIT` bytes."""
    return ServeError("the answer does not end", f"at most {ANSWER_LIMIT >> 20} MiB")


class _Answer:
    """An HTTP/1.1 response as it comes in."""

    def __init__(self, leaving: Leaving | None) -> None:
        self._leave_at = None if leaving is None else leaving.offset
        self._raw = bytearray()
        self._status = 0
        self._headers: dict[str, str] = {}
        self._body = bytearray()
        self._left: int | None = None
        """Bytes of the body, or of the chunk, still to come; None where a chunk's size does."""
        self._framing: Literal["head", "chunked", "length", "close"] = "head"
        waits = leaving is None or leaving.offset is not None
        self.ended: Arrived | None = None if waits else "left"

    def feed(self, data: bytes) -> None:
        """The next bytes of the connection; empty at its end."""
        if not data:
            self.ended = "complete" if self._framing == "close" else "short"
            return
        self._raw += data
        if self._framing == "head" and not self._take_head():
            return
        match self._framing:
            case "chunked":
                self._take_chunks()
            case "length":
                self._take(self._left or 0)
                if self._left == 0:
                    self.ended = "complete"
            case _:
                self._take(len(self._raw))
        if self._leave_at is not None and len(self._body) >= self._leave_at:
            del self._body[self._leave_at :]  # what came along was not looked at any more
            self.ended = "left"

    def fetched(self) -> Fetched:
        """What has come."""
        return Fetched(self._status, self._headers, bytes(self._body), self.ended or "short")

    def _take_head(self) -> bool:
        head, blank, rest = bytes(self._raw).partition(b"\r\n\r\n")
        if not blank:
            if len(head) > HEAD_LIMIT:
                raise ServeError("the answer's head does not end", "is that an HTTP server?")
            return False
        first, *lines = head.decode("latin-1").split("\r\n")
        words = first.split(" ", 2)
        if not words[0].startswith("HTTP/1.") or not words[1:2] or not words[1].isdecimal():
            raise ServeError("the answer is not HTTP/1.1", "is that an HTTP server?")
        self._status = int(words[1])
        for line in lines:
            name, _, value = line.partition(":")
            self._headers[name.strip().lower()] = value.strip()
        self._raw = bytearray(rest)
        if self._headers.get("transfer-encoding") == "chunked":
            self._framing = "chunked"
        elif (length := self._headers.get("content-length", "")).isdecimal():
            self._framing, self._left = "length", int(length)
        else:
            self._framing = "close"
        return True

    def _take(self, count: int) -> None:
        """Move up to `count` raw bytes to the body."""
        piece = self._raw[:count]
        del self._raw[:count]
        self._body += piece
        if len(self._body) > ANSWER_LIMIT:
            raise endless()
        if self._left is not None:
            self._left -= len(piece)

    def _take_chunks(self) -> None:
        while True:
            if self._left is None:
                end = self._raw.find(b"\r\n")
                if end < 0:
                    return
                self._left = _size(self._raw[:end])
                del self._raw[: end + 2]
                if self._left == 0:
                    self.ended = "complete"
                    return
            self._take(self._left)
            if self._left or len(self._raw) < 2:
                return
            del self._raw[:2]
            self._left = None


def _size(text: bytes | bytearray) -> int:
    digits = bytes(text).partition(b";")[0].strip()
    if not 0 < len(digits) <= 8 or not _HEX.issuperset(digits):
        raise ServeError("a broken chunk in the answer", "is that an HTTP server?")
    return int(digits, 16)
