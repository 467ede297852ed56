"""What recorder and replayer need of the Responses API: features, errors, whole answers."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from turnreel.adapters import registry
from turnreel.adapters.openai_responses import builders
from turnreel.adapters.openai_responses.provider import PROVIDER
from turnreel.adapters.openai_responses.render import replies
from turnreel.adapters.steps import Answer, Call, Say, Think
from turnreel.sanitizers import Raw, Sanitizer
from turnreel.wire.units import BodyFraming, Json, JsonUnit, SseFraming, TextUnit

BODY: dict[str, Any] = {
    "model": "gpt-5.5",
    "stream": True,
    "instructions": "SECRET",
    "input": [
        {"role": "developer", "content": "SECRET"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "SECRET"}]},
        {"type": "reasoning", "encrypted_content": "SECRET"},
        {"type": "message", "role": "assistant", "phase": "commentary", "content": []},
        {"type": "function_call", "call_id": "call_1", "name": "x", "arguments": "SECRET"},
        {"type": "function_call", "call_id": "call_2", "name": "x", "arguments": "SECRET"},
        {"type": "function_call_output", "call_id": "call_1", "output": "SECRET"},
        {"type": "custom_tool_call_output", "call_id": "call_2", "output": "SECRET"},
    ],
}


def test_features_are_the_shape_of_a_request_and_nothing_of_its_content() -> None:
    found = PROVIDER.features("post", "/v1/responses?x=1", msgspec.json.encode(BODY))
    assert found == {
        "method": "POST",
        "path": "/v1/responses",
        "model": "gpt-5.5",
        "stream": True,
        "history": [
            "developer", "user", "reasoning", "assistant commentary", "function_call",
            "function_call", "function_call_output", "custom_tool_call_output",
        ],
        "results": ["call_1", "call_2"],
    }  # fmt: skip


@pytest.mark.parametrize("body", [b"", b"[]", b"\xff", b'{"input": 7}', b'{"input": [7, {}]}'])
def test_features_of_anything(body: bytes) -> None:
    found = PROVIDER.features("GET", "/v1/responses", body)
    assert isinstance(found, dict)
    assert found["path"] == "/v1/responses"


def test_a_whole_answer_is_put_together_from_its_events() -> None:
    blocks = (Think("hm"), Say("Looking."), Call("call_1", "ls", {"a": 1}))
    (reply,) = replies((Answer(blocks, "tool_use"),))
    units = [JsonUnit(event, SseFraming()) for event in reply.events]
    whole = PROVIDER.whole([TextUnit(": ping", SseFraming()), *units])
    assert whole is not None
    assert isinstance(whole.value, dict)
    assert [one["type"] for one in whole.value["output"]] == [  # type: ignore[index,union-attr,call-overload]
        "reasoning", "message", "function_call",
    ]  # fmt: skip
    assert PROVIDER.whole(units[:-1]) is None


def test_errors_and_probes() -> None:
    assert PROVIDER.error(429, "m").value == builders.error_body(429, "m")
    assert PROVIDER.probe("HEAD", "/v1") is not None
    assert PROVIDER.probe("GET", "/v1/models?x") is not None
    assert PROVIDER.probe("POST", "/v1/responses") is None


def test_deltas_add_up() -> None:
    text = "A rather long sentence, in pieces."
    events = list(builders.streamed(0, "m1", Say(text), "final_answer"))
    deltas = [e["delta"] for e in events if e["type"] == "response.output_text.delta"]
    assert "".join(map(str, deltas)) == text


@pytest.mark.parametrize(
    ("said", "landed"),
    [
        ({"id": "resp_1", "object": "response", "status": "completed", "background": True}, None),
        ({"type": "error", "status": 429}, None),
        ({"type": "error", "status": "hunter2"}, {"type": "error", "status": "masked"}),
    ],
)
def test_what_a_whole_answer_says_of_itself_lands(said: Json, landed: Json | None) -> None:
    one = Sanitizer({"provider": registry.policy("openai-responses")}, "strict")
    raw = Raw(0, "provider", "data", JsonUnit(said, BodyFraming()), 1)
    (clean,) = [*one.push(raw), *one.flush()]
    assert isinstance(clean.body, JsonUnit)
    value = clean.body.value
    assert isinstance(value, dict) and isinstance(said, dict)
    assert {**value, "id": said.get("id")} == {**(landed or said), "id": said.get("id")}
