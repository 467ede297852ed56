"""Whole native events and bodies of the Responses API, for scripts, faults and tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from turnreel.adapters.steps import Block, Call, Say, Think
from turnreel.wire.units import Json

Event = dict[str, Json]
"""An event's data; its SSE event name is its ``type``."""

Phase = Literal["commentary", "partial_answer", "final_answer"]

PIECE: Final = 12
"""Characters of a text in one delta."""

ERROR_TYPES: Final[dict[int, str]] = {
    400: "invalid_request_error",
    401: "invalid_request_error",
    403: "invalid_request_error",
    404: "invalid_request_error",
    429: "rate_limit_exceeded",
}


def created(response: str) -> Event:
    """The answer begins."""
    return {"type": "response.created", "response": _shell(response, "in_progress")}


def completed(response: str) -> Event:
    """All of the answer was sent."""
    usage: Event = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    return {
        "type": "response.completed",
        "response": {**_shell(response, "completed"), "usage": usage},
    }


def failed(response: str, code: str, message: str = "scripted") -> Event:
    """The answer failed in the middle of its stream."""
    error: Event = {"code": code, "message": message}
    return {"type": "response.failed", "response": {**_shell(response, "failed"), "error": error}}


def incomplete(response: str, reason: str) -> Event:
    """A limit ended the answer."""
    details: Event = {"reason": reason}
    shell: Event = {**_shell(response, "incomplete"), "incomplete_details": details}
    return {"type": "response.incomplete", "response": shell}


def refused(status: int, code: str, message: str = "scripted") -> Event:
    """What the server sends on a WebSocket in place of an error status."""
    error: Event = {"type": code, "code": code, "message": message}
    return {"type": "error", "status": status, "error": error}


def error_body(status: int, message: str = "scripted") -> Event:
    """The body of an error status."""
    return {"error": {"message": message, "type": error_type(status), "code": None}}


def error_type(status: int) -> str:
    """What an error status is called in its body."""
    return ERROR_TYPES.get(status, "server_error" if status >= 500 else "invalid_request_error")


def item(name: str, block: Block, phase: Phase | None = None) -> Event:
    """An output item, whole."""
    match block:
        case Say(text):
            part: Event = {"type": "output_text", "text": text, "annotations": []}
            return {**_message(name, phase), "status": "completed", "content": [part]}
        case Think(text):
            summary: Event = {"type": "summary_text", "text": text}
            return {"type": "reasoning", "id": name, "summary": [summary]}
        case Call(tool, called, arguments):
            source = msgspec.json.encode(arguments).decode()
            return {**_call(name, tool, called), "arguments": source, "status": "completed"}


def streamed(index: int, name: str, block: Block, phase: Phase | None = None) -> Iterator[Event]:
    """The events of one whole output item."""
    yield from part(index, name, block, phase)
    yield {
        "type": "response.output_item.done",
        "output_index": index,
        "item": item(name, block, phase),
    }


def part(index: int, name: str, block: Block, phase: Phase | None = None) -> Iterator[Event]:
    """The events of an output item that is never done."""
    place: Event = {"item_id": name, "output_index": index}
    match block:
        case Say(text):
            yield _added(index, {**_message(name, phase), "status": "in_progress", "content": []})
            place = {**place, "content_index": 0}
            for piece in pieces(text):
                yield {"type": "response.output_text.delta", **place, "delta": piece}
        case Think(text):
            yield _added(index, {"type": "reasoning", "id": name, "summary": []})
            for piece in pieces(text):
                delta = {"type": "response.reasoning_summary_text.delta", **place}
                yield {**delta, "summary_index": 0, "delta": piece}
        case Call(tool, called, arguments):
            yield _added(
                index, {**_call(name, tool, called), "arguments": "", "status": "in_progress"}
            )
            for piece in pieces(msgspec.json.encode(arguments).decode()):
                yield {"type": "response.function_call_arguments.delta", **place, "delta": piece}


def whole(response: str, items: Sequence[Mapping[str, Json]]) -> Event:
    """The answer to a request that is not streamed."""
    return {**_shell(response, "completed"), "output": [dict(one) for one in items]}


def pieces(text: str) -> list[str]:
    """`text` as deltas carry it."""
    return [text[at : at + PIECE] for at in range(0, len(text), PIECE)]


def _shell(response: str, status: str) -> Event:
    return {"id": response, "object": "response", "status": status, "output": []}


def _message(name: str, phase: Phase | None) -> Event:
    shell: Event = {"type": "message", "id": name, "role": "assistant"}
    return shell if phase is None else {**shell, "phase": phase}


def _call(name: str, tool: str, called: str) -> Event:
    return {"type": "function_call", "id": f"fc_{name}", "call_id": tool, "name": called}


def _added(index: int, opened: Event) -> Event:
    return {"type": "response.output_item.added", "output_index": index, "item": opened}
