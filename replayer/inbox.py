"""What came from upstream and waits for its turn, with the moment at which it came.

What is played late did not come late: without that moment, everything behind a delay would be
counted from when the one before it was sent, and be delayed once more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Generic, TypeVar

import aiohttp
import msgspec

T = TypeVar("T")

MOST_WAITING: Final = 2000
MOST_BYTES: Final = 1 << 20
"""More than that does not wait: upstream does. One thing may be larger."""


class Arrival(msgspec.Struct, Generic[T], frozen=True):
    """Something that came, and how many bytes it takes."""

    what: T
    size: int
    came_s: float
    """On the event loop's clock."""


class Inbox(asyncio.Queue[Arrival[T]], Generic[T]):
    """First in, first out; bounded by number and by bytes."""

    def __init__(self) -> None:
        super().__init__()
        self._bytes = 0

    async def take_in(self, what: T, size: int = 0) -> None:
        """Put in what came just now, as soon as there is room."""
        await self.put(Arrival(what, size, asyncio.get_running_loop().time()))

    def full(self) -> bool:
        """Whether whoever puts something in has to wait."""
        return self.qsize() >= MOST_WAITING or self._bytes >= MOST_BYTES

    def _put(self, item: Arrival[T]) -> None:
        self._bytes += item.size
        super()._put(item)

    def _get(self) -> Arrival[T]:
        item = super()._get()
        self._bytes -= item.size
        return item


@contextmanager
def heard(content: aiohttp.StreamReader) -> Iterator[Inbox[bytes | Exception | None]]:
    """What comes of a body while the block runs, however long what came before takes to be passed
    on; behind it None, or what went wrong.
    """
    inbox: Inbox[bytes | Exception | None] = Inbox()
    hearing = asyncio.create_task(_hear(content, inbox))
    try:
        yield inbox
    finally:
        hearing.cancel()


async def _hear(content: aiohttp.StreamReader, inbox: Inbox[bytes | Exception | None]) -> None:
    failure: Exception | None = None
    try:
        async for chunk in content.iter_any():
            await inbox.take_in(chunk, len(chunk))
    except Exception as error:  # whoever waits for more is told of any
        failure = error
    await inbox.take_in(failure)
