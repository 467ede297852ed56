"""Abstract steps as the provider's side of a turn: one reply for each request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnreel.adapters.replies import Reply, scripted
from turnreel.adapters.steps import Block, Say, Script, message_id

from . import builders
from .builders import Event


def replies(script: Script) -> tuple[Reply, ...]:
    """What the provider sends in a scripted turn, request by request."""
    return scripted(
        script,
        builders.error_body,
        lambda number, blocks, stop: answer(message_id(number), blocks, stop),
        lambda number, blocks, partial: part(message_id(number), blocks, partial),
    )


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
