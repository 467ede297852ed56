"""Abstract steps as the provider's side of a turn: one reply for each request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnreel.adapters.replies import Reply, scripted
from turnreel.adapters.steps import Block, Call, Say, Script, message_id

from . import builders
from .builders import Chunk


def replies(script: Script) -> tuple[Reply, ...]:
    """What the provider sends in a scripted turn, request by request; ``[DONE]`` follows the events
    of one that ends well.
    """
    return scripted(
        script,
        builders.error_body,
        lambda number, blocks, stop: answer(message_id(number), blocks, stop),
        lambda number, blocks, partial: part(message_id(number), blocks, partial),
    )


def answer(message: str, blocks: Sequence[Block], stop: str) -> Iterator[Chunk]:
    """The chunks of a whole streamed answer."""
    yield from _begun(message, blocks)
    yield builders.closing(message, stop)


def part(message: str, blocks: Sequence[Block], partial: str) -> Iterator[Chunk]:
    """The chunks of an answer that breaks off in the text `partial`."""
    yield from _begun(message, blocks)
    yield from builders.deltas(message, 0, Say(partial))


def _begun(message: str, blocks: Sequence[Block]) -> Iterator[Chunk]:
    yield builders.opening(message)
    calls = 0
    for block in blocks:
        yield from builders.deltas(message, calls, block)
        calls += isinstance(block, Call)
