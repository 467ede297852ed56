"""Whole native chunks and bodies of the Chat Completions API, for scripts, faults and tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from turnreel.adapters.steps import Block, Call, Say, Think
from turnreel.wire.units import Json

Chunk = dict[str, Json]

MODEL: Final = "gpt-5.2"
PIECE: Final = 12
"""Characters of a text in one delta."""

STOPS: Final[dict[str, str]] = {
    "end_turn": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "refusal": "content_filter",
    "pause_turn": "stop",
}
"""A script's stop to ``finish_reason``."""

ERROR_TYPES: Final[dict[int, str]] = {
    401: "authentication_error",
    404: "invalid_request_error",
    429: "rate_limit_error",
}


def opening(message: str) -> Chunk:
    """The answer begins."""
    return chunk(message, {"role": "assistant", "content": ""})


def deltas(message: str, index: int, block: Block) -> Iterator[Chunk]:
    """The pieces of a block; `index` counts the tool calls of the answer."""
    match block:
        case Say(text):
            for piece in pieces(text):
                yield chunk(message, {"content": piece})
        case Think(text):
            for piece in pieces(text):
                yield chunk(message, {"reasoning_content": piece})
        case Call(tool, name, arguments):
            source = msgspec.json.encode(arguments).decode()
            head: Chunk = {"index": index, "id": tool, "type": "function"}
            yield chunk(
                message, {"tool_calls": [{**head, "function": {"name": name, "arguments": ""}}]}
            )
            for piece in pieces(source):
                more: Chunk = {"index": index, "function": {"arguments": piece}}
                yield chunk(message, {"tool_calls": [more]})


def closing(message: str, stop: str) -> Chunk:
    """All content was sent; `stop` says why the model stopped."""
    usage: Chunk = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {**chunk(message, {}, STOPS.get(stop, "stop")), "usage": usage}


def chunk(message: str, delta: Chunk, reason: str | None = None) -> Chunk:
    """One chunk of an answer."""
    choice: Chunk = {"index": 0, "delta": delta, "finish_reason": reason}
    return {
        "id": message,
        "object": "chat.completion.chunk",
        "created": 946684800,
        "model": MODEL,
        "choices": [choice],
    }


def whole_message(message: str, blocks: Sequence[Block], stop: str = "end_turn") -> Chunk:
    """The answer to a request that is not streamed."""
    content = "".join(block.text for block in blocks if isinstance(block, Say))
    calls: list[Json] = [
        {
            "id": block.tool,
            "type": "function",
            "function": {
                "name": block.name,
                "arguments": msgspec.json.encode(block.arguments).decode(),
            },
        }
        for block in blocks
        if isinstance(block, Call)
    ]
    shell: Chunk = {"role": "assistant", "content": content}
    if calls:
        shell["tool_calls"] = calls
    choice: Chunk = {"index": 0, "message": shell, "finish_reason": STOPS.get(stop, "stop")}
    return {
        "id": message,
        "object": "chat.completion",
        "created": 946684800,
        "model": MODEL,
        "choices": [choice],
    }


def error_body(status: int, message: str = "scripted") -> Chunk:
    """The body of an error status."""
    fallback = "server_error" if status >= 500 else "invalid_request_error"
    kind = ERROR_TYPES.get(status, fallback)
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}


def pieces(text: str) -> list[str]:
    """`text` as deltas carry it."""
    return [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
