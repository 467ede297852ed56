"""Whole native events and bodies of the Messages API, for scripts, faults and tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from turnreel.adapters.steps import Block, Call, Say, Think
from turnreel.wire.units import Json

Event = dict[str, Json]
"""An event's data; its SSE event name is its ``type``."""

MODEL: Final = "claude-sonnet-4-5-20250929"
PIECE: Final = 12
"""Characters of a text in one delta."""

ERROR_TYPES: Final[dict[int, str]] = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}


def message_start(message: str, model: str = MODEL) -> Event:
    """The answer begins."""
    return {"type": "message_start", "message": {**_shell(message, model), "content": []}}


def message_delta(stop: str | None) -> Event:
    """All content was sent; `stop` says why the model stopped."""
    return {
        "type": "message_delta",
        "delta": {"stop_reason": stop, "stop_sequence": None},
        "usage": {"output_tokens": 1},
    }


def message_stop() -> Event:
    """The answer is over."""
    return {"type": "message_stop"}


def ping() -> Event:
    """A sign of life."""
    return {"type": "ping"}


def error(kind: str, message: str = "scripted") -> Event:
    """An error in the middle of a stream, or an error body."""
    return {"type": "error", "error": {"type": kind, "message": message}}


def error_body(status: int, message: str = "scripted") -> Event:
    """The body of an error status."""
    fallback = "api_error" if status >= 500 else "invalid_request_error"
    return error(ERROR_TYPES.get(status, fallback), message)


def block_start(index: int, block: Block) -> Event:
    """A block begins, empty."""
    return {"type": "content_block_start", "index": index, "content_block": _opened(block)}


def block_deltas(index: int, block: Block) -> Iterator[Event]:
    """The pieces that add up to the block."""
    match block:
        case Say(text):
            deltas: list[Event] = [{"type": "text_delta", "text": p} for p in pieces(text)]
        case Think(text):
            deltas = [{"type": "thinking_delta", "thinking": p} for p in pieces(text)]
            deltas.append({"type": "signature_delta", "signature": "c2ln"})
        case Call(arguments=arguments):
            source = msgspec.json.encode(arguments).decode()
            deltas = [
                {"type": "input_json_delta", "partial_json": p} for p in ("", *pieces(source))
            ]
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}


def block_stop(index: int) -> Event:
    """A block is complete."""
    return {"type": "content_block_stop", "index": index}


def whole_block(block: Block) -> Event:
    """A block as a message that is not streamed holds it."""
    match block:
        case Say(text):
            return {"type": "text", "text": text}
        case Think(text):
            return {"type": "thinking", "thinking": text, "signature": "c2ln"}
        case Call(tool, name, arguments):
            return {"type": "tool_use", "id": tool, "name": name, "input": dict(arguments)}


def whole_message(message: str, blocks: Sequence[Block], stop: str = "end_turn") -> Event:
    """The answer to a request that is not streamed."""
    content: list[Json] = [whole_block(block) for block in blocks]
    return {**_shell(message, MODEL), "content": content, "stop_reason": stop}


def pieces(text: str) -> list[str]:
    """`text` as deltas carry it."""
    return [text[at : at + PIECE] for at in range(0, len(text), PIECE)]


def _shell(message: str, model: str) -> Event:
    return {
        "id": message,
        "type": "message",
        "role": "assistant",
        "model": model,
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {
            "input_tokens": 1,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": 1,
            "service_tier": "standard",
        },
    }


def _opened(block: Block) -> Event:
    match block:
        case Say():
            return {"type": "text", "text": ""}
        case Think():
            return {"type": "thinking", "thinking": "", "signature": ""}
        case Call(tool, name, _):
            return {"type": "tool_use", "id": tool, "name": name, "input": {}}
