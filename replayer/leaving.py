"""Where a client leaves before an answer has ended: as its plan says, else as it was recorded."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import msgspec

from .answers import NORMAL
from .steps import Head, Hold, Linger, Rejoin, Schedule, Send

if TYPE_CHECKING:
    import aiohttp


CLOSING_S: Final = 10.0
"""How long a server may take to answer the word that closes a WebSocket. What it says meanwhile is
not heard.
"""


class Leaving(msgspec.Struct, frozen=True):
    """A client leaves when `offset` bytes of the body have come, or with None whatever comes, and
    `after_us` have passed since. `step` is what the plan says of it; without one the recorded
    client left here, or nothing more was recorded.
    """

    offset: int | None
    after_us: int = 0
    step: Hold | Rejoin | None = None

    @property
    def faults(self) -> tuple[int, ...]:
        """Indices of the plan's faults that leaving fires."""
        return () if self.step is None else self.step.faults


def leaving_of(plan: Schedule) -> Leaving | None:
    """The first leaving of a client's schedule; None where it stays until the answer has ended."""
    offset: int | None = None
    last_us = 0
    for step in plan.steps:
        match step:
            case Head():
                offset, last_us = 0, step.at_us
            case Hold() | Rejoin():
                return Leaving(offset or 0, step=step)
            case Send():
                offset, last_us = (offset or 0) + len(step.data), step.at_us
            case Linger():
                return Leaving(offset, step.at_us - last_us)
            case _:
                pass
    return None


async def close(
    client: aiohttp.ClientWebSocketResponse, code: int = NORMAL, reason: bytes = b""
) -> None:
    """Leave a WebSocket with the word that closes it; without, where that is not answered."""
    try:
        async with asyncio.timeout(CLOSING_S):
            await client.close(code=code, message=reason)
    except TimeoutError:
        hang_up(client)


def hang_up(client: aiohttp.ClientWebSocketResponse) -> None:
    """Leave a WebSocket without the word that closes it."""
    raw: socket.socket | None = client.get_extra_info("socket")
    if raw is not None:
        with suppress(OSError):  # it has ended by itself
            raw.shutdown(socket.SHUT_RDWR)
