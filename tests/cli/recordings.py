"""Recordings of a scripted provider, made by the recorder's own proxy over real sockets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from tests.recorder.conftest import served as upstream
from tests.replayer.streams import PATHS
from turnreel.recorder.listen import record_while
from turnreel.replayer.client import fetch
from turnreel.replayer.leaving import Leaving

GAP_S: Final = 0.02
SSE: Final = b"content-type: text/event-stream"
JSON: Final = b"content-type: application/json"
CHUNKED: Final = b"transfer-encoding: chunked"

Work = Callable[[str], Awaitable[None]]


class Answer(msgspec.Struct, frozen=True):
    """What a scripted provider sends: a head and writes, each after a pause; then it ends the body,
    breaks the connection off, or waits until its client has left. `leaving`: when that does.
    """

    status: str
    head: tuple[bytes, ...]
    reads: tuple[bytes, ...]
    end: str = "end"
    leaving: Leaving | None = None


def cut(body: bytes, *sizes: int) -> tuple[bytes, ...]:
    """`body` in reads of these sizes, over and over."""
    pieces: list[bytes] = []
    while body:
        size = sizes[len(pieces) % len(sizes)]
        pieces.append(body[:size])
        body = body[size:]
    return tuple(pieces)


def stream(body: bytes, *sizes: int, end: str = "end", leaving: Leaving | None = None) -> Answer:
    return Answer("200 OK", (SSE, CHUNKED, b"request-id: req_1"), cut(body, *sizes), end, leaving)


def whole(status: str, body: bytes, *sizes: int, head: tuple[bytes, ...] = ()) -> Answer:
    length = b"content-length: %d" % len(body)
    return Answer(status, (JSON, length, *head), cut(body, *sizes))


@contextmanager
def provider(answers: Sequence[Answer]) -> Iterator[str]:
    """The base URL of a provider that gives these answers, one a connection."""
    left = list(answers)

    async def script(
        head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        size = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        await reader.readexactly(size)
        answer = left.pop(0)
        is_chunked = CHUNKED in answer.head
        lines = [f"HTTP/1.1 {answer.status}".encode(), *answer.head, b"connection: close"]
        writer.write(b"\r\n".join(lines) + b"\r\n\r\n")
        for piece in answer.reads:
            await writer.drain()
            await asyncio.sleep(GAP_S)
            writer.write(b"%x\r\n%b\r\n" % (len(piece), piece) if is_chunked else piece)
        if answer.end == "left":
            await reader.read()
        elif answer.end == "end" and is_chunked:
            await writer.drain()
            await asyncio.sleep(GAP_S)
            writer.write(b"0\r\n\r\n")

    with upstream(script) as url:
        yield url


def record(url: str, target: Path, dialect: str, work: Work) -> Path:
    """A recording of what `work` does with the proxy's URL."""

    async def working(base: str, _: asyncio.Event) -> None:
        await work(base)

    record_while(working, url, target, dialect=dialect, profile="fixture")
    return target


def recorded(target: Path, dialect: str, answers: Sequence[Answer]) -> Path:
    """A recording of these answers, each to a request of its own, one after the other."""

    async def ask(base: str) -> None:
        for number, answer in enumerate(answers):
            turns = [{"role": "user", "content": "and?"}] * (number + 1)
            body = {"model": "m", "stream": SSE in answer.head, "messages": turns}
            leaving = answer.leaving
            await fetch(base, PATHS[dialect], body=json.dumps(body).encode(), leaving=leaving)
            await asyncio.sleep(GAP_S)

    with provider(answers) as url:
        return record(url, target, dialect, ask)
