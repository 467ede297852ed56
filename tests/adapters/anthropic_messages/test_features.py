"""Request features: a step is recognised again, and nothing of its content is kept (S4)."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from turnreel.adapters.anthropic_messages.features import features

BODY: dict[str, Any] = {
    "model": "claude-x",
    "stream": True,
    "system": "SYSTEM SECRET",
    "tools": [{"name": "Read", "description": "TOOL SECRET"}],
    "messages": [
        {"role": "user", "content": "PROMPT SECRET"},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "TEXT SECRET"},
                {"type": "text", "text": "more"},
                {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"p": "SECRET"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "toolu_1", "content": "RESULT SECRET"},
                {"type": "tool_result", "tool_use_id": "toolu_2", "content": "RESULT SECRET"},
                {"type": "text", "text": "reminder"},
            ],
        },
    ],
}


def test_the_shape_of_a_request() -> None:
    assert features("post", "/v1/messages?beta=true", BODY) == {
        "method": "POST",
        "path": "/v1/messages",
        "model": "claude-x",
        "stream": True,
        "history": ["user text", "assistant text tool_use", "user tool_result text"],
        "results": ["toolu_1", "toolu_2"],
    }


def test_nothing_of_the_content_is_in_it() -> None:
    assert b"SECRET" not in msgspec.json.encode(features("POST", "/v1/messages", BODY))


def test_equal_shapes_are_equal_and_steps_differ() -> None:
    other = msgspec.json.decode(msgspec.json.encode(BODY).replace(b"SECRET", b"changed"))
    assert features("POST", "/v1/messages", other) == features("POST", "/v1/messages", BODY)
    next_step = {**BODY, "messages": BODY["messages"][:1]}
    assert features("POST", "/v1/messages", next_step) != features("POST", "/v1/messages", BODY)
    whole = {**BODY, "stream": False}
    assert features("POST", "/v1/messages", whole) != features("POST", "/v1/messages", BODY)


def test_a_request_without_a_body_has_its_target() -> None:
    assert features("HEAD", "/", None) == {"method": "HEAD", "path": "/"}


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["messages", "role", "content", "type", "tool_use_id", "model"]),
                inner,
            )
        ),
    )
)
def test_any_body_has_a_shape(body: Any) -> None:
    features("POST", "/v1/messages", body)
