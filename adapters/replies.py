"""What a provider sends in a scripted turn: one reply for each request that the script makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

import msgspec

from turnreel.wire.units import Json

from .steps import Answer, Block, Break, Fail, Interrupt, Reject, Script, Step

Event = dict[str, Json]
Whole = Callable[[int, Sequence[Block], str], Iterable[Event]]
"""The events of a whole answer: its number from 1, its blocks, and why it stopped."""
Part = Callable[[int, Sequence[Block], str], Iterable[Event]]
"""The events of an answer that breaks off: its number, whole blocks, and the text on its way."""


class Reply(msgspec.Struct, frozen=True):
    """A provider's reply. A status of 200 streams `events`; an error status has one body. `over`
    says how its bytes end: whole, cut by the provider, or given up by the client.
    """

    status: int
    events: tuple[Event, ...]
    over: Literal["end", "cut", "given up"] = "end"


def scripted(
    script: Script, error: Callable[[int], Event], whole: Whole, part: Part
) -> tuple[Reply, ...]:
    """The replies of a script, in a dialect's own words: its error body for a status, its whole
    answers and its parts of answers.
    """

    def of(step: Step, number: int) -> Iterator[Reply]:
        match step:
            case Reject(status) | Fail(status):
                yield Reply(status, (error(status),))
            case Answer(blocks, stop):
                yield Reply(200, tuple(whole(number, blocks, stop)))
            case Break(partial, blocks):
                yield Reply(200, tuple(part(number, blocks, partial)), "cut")
            case Interrupt(partial):
                yield Reply(200, tuple(part(number, (), partial)), "given up")
            case _:
                pass

    told: list[Reply] = []
    for step in script:
        told += of(step, sum(reply.status == 200 for reply in told) + 1)
    return tuple(told)
