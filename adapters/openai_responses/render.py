"""Abstract steps as the provider's side of a turn: one reply for each request.

A message that calls a tool, or that is followed by another, is commentary by its phase; the one
that ends an answer is final.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnreel.adapters.replies import Reply, scripted
from turnreel.adapters.steps import Block, Call, Say, Script

from . import builders
from .builders import Event, Phase


def replies(script: Script) -> tuple[Reply, ...]:
    """What the provider sends in a scripted turn, request by request."""
    return scripted(script, builders.error_body, answer, broken)


def item_id(answer: int, index: int) -> str:
    """The native id of an item of a script's answer, both from 1; the same in every dialect, as the
    agent passes on the provider's own.
    """
    return f"msg_{answer:02d}{index:02d}"


def phase_of(blocks: Sequence[Block], index: int, stop: str) -> Phase:
    """The phase of the text at `index`: what more blocks of text or tools follow is commentary."""
    follows = any(isinstance(block, Say | Call) for block in blocks[index + 1 :])
    return "commentary" if follows or stop == "tool_use" else "final_answer"


def answer(number: int, blocks: Sequence[Block], stop: str) -> Iterator[Event]:
    """The events of a whole streamed answer. A limit and a refusal end it as the API says so."""
    response = f"resp_{number:04d}"
    yield builders.created(response)
    for index, block in enumerate(blocks):
        name = item_id(number, index + 1)
        yield from builders.streamed(index, name, block, phase_of(blocks, index, stop))
    if stop == "max_tokens":
        yield builders.incomplete(response, "max_output_tokens")
    else:
        yield builders.completed(response)


def broken(number: int, blocks: Sequence[Block], partial: str) -> Iterator[Event]:
    """The events of an answer that breaks off in the text `partial`."""
    yield builders.created(f"resp_{number:04d}")
    for index, block in enumerate(blocks):
        name = item_id(number, index + 1)
        yield from builders.streamed(index, name, block, phase_of(blocks, index, "tool_use"))
    name = item_id(number, len(blocks) + 1)
    yield from builders.part(len(blocks), name, Say(partial), "final_answer")
