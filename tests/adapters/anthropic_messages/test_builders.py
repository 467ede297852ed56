"""Built events add up to what they stand for (S3)."""

from __future__ import annotations

import msgspec
import pytest

from turnreel.adapters.anthropic_messages import builders
from turnreel.adapters.anthropic_messages.render import replies
from turnreel.adapters.steps import Answer, Block, Break, Call, Reject, Say, Think, message_id


@pytest.mark.parametrize(
    ("block", "field", "whole"),
    [
        (Say("A text of more than one piece."), "text", "A text of more than one piece."),
        (Say(""), "text", ""),
        (Think("hidden"), "thinking", "hidden"),
        (Call("toolu_1", "Read", {"path": "a.csv"}), "partial_json", '{"path":"a.csv"}'),
    ],
)
def test_deltas_add_up_to_the_block(block: Block, field: str, whole: str) -> None:
    deltas = [event["delta"] for event in builders.block_deltas(0, block)]
    assert "".join(d.get(field, "") for d in deltas) == whole  # type: ignore[union-attr,arg-type]


def test_a_tool_call_is_whole_in_an_unstreamed_message() -> None:
    call = Call("toolu_1", "Read", {"path": "a.csv"})
    content = builders.whole_message("m1", (call,), "tool_use")["content"]
    assert content == [
        {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"path": "a.csv"}}
    ]


@pytest.mark.parametrize(
    ("status", "kind"),
    [(429, "rate_limit_error"), (503, "api_error"), (418, "invalid_request_error")],
)
def test_an_error_status_has_a_body_of_its_type(status: int, kind: str) -> None:
    assert builders.error_body(status)["error"] == {"type": kind, "message": "scripted"}


def test_replies_are_one_for_each_request() -> None:
    told = replies((Reject(429), Break("Half"), Answer((Say("Whole."),))))
    assert [(reply.status, reply.over) for reply in told] == [
        (429, "end"),
        (200, "cut"),
        (200, "end"),
    ]
    assert message_id(2).encode() in msgspec.json.encode(told[2].events)
