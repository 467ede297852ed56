"""A provider's own words."""

from __future__ import annotations

import pytest

from turnreel.adapters.anthropic_messages.provider import PROVIDER as ANTHROPIC
from turnreel.wire.encode import encode
from turnreel.wire.units import Json, JsonUnit, SseFraming, TextUnit, Unit


def streamed(*values: Json) -> list[Unit]:
    return [JsonUnit(value, SseFraming()) for value in values]


def whole(*values: Json) -> Json:
    unit = ANTHROPIC.whole(streamed(*values))
    return None if unit is None else unit.value


START: Json = {
    "type": "message_start",
    "message": {"id": "m", "content": [], "usage": {"input_tokens": 3, "output_tokens": 1}},
}
STOP: Json = {"type": "message_stop"}


def block(index: int, content: Json, *deltas: Json) -> list[Json]:
    return [
        {"type": "content_block_start", "index": index, "content_block": content},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def test_a_streamed_message_put_together() -> None:
    end: Json = {
        "type": "message_delta",
        "delta": {"stop_reason": "tool_use", "stop_sequence": None},
        "usage": {"output_tokens": 9},
    }
    thought = [
        {"type": "thinking_delta", "thinking": "Hm"},
        {"type": "signature_delta", "signature": "s"},
    ]
    asked = ['{"a"', ": [1, 2]}"]
    assert whole(
        START,
        {"type": "ping"},
        *block(0, {"type": "thinking", "thinking": ""}, *thought),
        *block(1, {"type": "text", "text": ""}, {"type": "text_delta", "text": "Grüße"}),
        *block(
            2,
            {"type": "tool_use", "id": "t", "name": "Read", "input": {}},
            *({"type": "input_json_delta", "partial_json": piece} for piece in asked),
        ),
        end,
        STOP,
    ) == {
        "id": "m",
        "content": [
            {"type": "thinking", "thinking": "Hm", "signature": "s"},
            {"type": "text", "text": "Grüße"},
            {"type": "tool_use", "id": "t", "name": "Read", "input": {"a": [1, 2]}},
        ],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 3, "output_tokens": 9},
    }


def test_what_is_not_whole_has_no_whole_form() -> None:
    assert whole() is None
    assert whole(START) is None
    assert whole(STOP) is None
    assert ANTHROPIC.whole([TextUnit(": comment", SseFraming())]) is None


def test_tool_input_that_is_no_json_and_deltas_of_no_block() -> None:
    broken = block(0, {"type": "tool_use"}, {"type": "input_json_delta", "partial_json": "{"})
    lone = block(1, {"type": "text"}, {"type": "invented", "text": "x"})[1:]
    assert whole(START, *broken, *lone, STOP) == {
        "id": "m",
        "content": [{"type": "tool_use", "input": {}}, {}],
        "usage": {"input_tokens": 3, "output_tokens": 1},
    }


def test_putting_together_changes_no_recording() -> None:
    units = streamed(START, *block(0, {"type": "text", "text": ""}), STOP)
    before = [encode(unit) for unit in units]
    assert ANTHROPIC.whole(units) == ANTHROPIC.whole(units)
    assert [encode(unit) for unit in units] == before


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, "authentication_error"),
        (418, "invalid_request_error"),
        (503, "api_error"),
        (529, "overloaded_error"),
    ],
)
def test_error_types(status: int, kind: str) -> None:
    unit = ANTHROPIC.error(status, "m")
    assert unit.value == {"type": "error", "error": {"type": kind, "message": "m"}}


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 100_000, b"3"])
def test_features_of_any_body(body: bytes) -> None:
    assert ANTHROPIC.features("post", "/v1/messages?x", body) == {
        "method": "POST",
        "path": "/v1/messages",
    }
