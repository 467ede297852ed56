"""Abstract steps as the provider's side of a turn: one reply for each request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from turnreel.adapters.steps import Answer, Block, Break, Interrupt, Reject, Say, Script, message_id

from . import builders
from .builders import Event


class Reply(msgspec.Struct, frozen=True):
    """A provider's reply. A status of 200 streams `events`; an error status has one body. `over`
    says how its bytes end: whole, cut by the provider, or given up by the client.
    """

    status: int
    events: tuple[Event, ...]
    over: Literal["end", "cut", "given up"] = "end"


def replies(script: Script) -> tuple[Reply, ...]:
    """What the provider sends in a scripted turn, request by request."""
    told: list[Reply] = []
    messages = 0
    for step in script:
        match step:
            case Reject(status):
                told.append(Reply(status, (builders.error_body(status),)))
            case Answer(blocks, stop):
                messages += 1
                told.append(Reply(200, tuple(answer(message_id(messages), blocks, stop))))
            case Break(partial, blocks):
                messages += 1
                told.append(Reply(200, tuple(part(message_id(messages), blocks, partial)), "cut"))
            case Interrupt(partial):
                messages += 1
                told.append(Reply(200, tuple(part(message_id(messages), (), partial)), "given up"))
            case _:
                pass
    return tuple(told)


def answer(message: str, blocks: Sequence[Block], stop: str) -> Iterator[Event]:
    """The events of a whole streamed message."""
    yield builders.message_start(message)
    yield builders.ping()
    for index, block in enumerate(blocks):
        yield from streamed(index, block)
    yield builders.message_delta(stop)
    yield builders.message_stop()


def part(message: str, blocks: Sequence[Block], partial: str) -> Iterator[Event]:
    """The events of a message that breaks off in the text `partial`."""
    yield builders.message_start(message)
    for index, block in enumerate(blocks):
        yield from streamed(index, block)
    yield builders.block_start(len(blocks), Say(""))
    yield from builders.block_deltas(len(blocks), Say(partial))


def streamed(index: int, block: Block) -> Iterator[Event]:
    """The events of one whole block."""
    yield builders.block_start(index, block)
    yield from builders.block_deltas(index, block)
    yield builders.block_stop(index)
