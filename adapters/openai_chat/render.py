"""Abstract steps as the provider's side of a turn: one reply for each request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from turnreel.adapters.steps import (
    Answer,
    Block,
    Break,
    Call,
    Interrupt,
    Reject,
    Say,
    Script,
    message_id,
)

from . import builders
from .builders import Chunk


class Reply(msgspec.Struct, frozen=True):
    """A provider's reply. A status of 200 streams `chunks` and, if it ends well, ``[DONE]``; an
    error status has one body. `over` says how its bytes end: whole, cut by the provider, or given
    up by the client.
    """

    status: int
    chunks: tuple[Chunk, ...]
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
