"""Chat completions and responses: one text, decided by place (C8)."""

from __future__ import annotations

import pytest

from tests.adapters.hearing import Hearing, fields
from turnreel.adapters.hermes_acp import builders as acp
from turnreel.adapters.hermes_acp import commands
from turnreel.adapters.hermes_chat import builders as chat
from turnreel.adapters.hermes_responses.builders import Stream
from turnreel.wire.units import BodyFraming, JsonUnit


@pytest.fixture
def heard() -> Hearing:
    return Hearing("hermes-chat").streams(chat.opening())


@pytest.mark.parametrize(
    ("reason", "code", "told"),
    [
        ("error", "agent_error", "failed bad_request degraded"),
        ("length", "output_truncated", "failed output_truncated healthy"),
        ("length", "agent_error", "failed output_truncated healthy"),
    ],
)
def test_the_finish_reason_is_honest(heard: Hearing, reason: str, code: str, told: str) -> None:
    heard.streams(chat.delta("Half"), chat.failed("HTTP 400: Invalid", reason, code), chat.done())
    assert heard.run == [told]


def test_an_answer_that_is_not_streamed_is_heard_whole() -> None:
    message = {"role": "assistant", "content": "Whole."}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    body = {"id": "c", "object": "chat.completion", "choices": [choice]}
    heard = Hearing("hermes-chat").frame("data", JsonUnit(body, BodyFraming()), 1)  # type: ignore[arg-type]
    assert heard.run == ['final "Whole." positional healthy']


def test_a_response_that_is_not_streamed_is_heard_whole() -> None:
    call = {"type": "function_call", "call_id": "call_1", "name": "terminal", "arguments": "{}"}
    result = {"type": "function_call_output", "call_id": "call_1", "output": '{"exit_code": 0}'}
    text = {"type": "output_text", "text": "Whole."}
    message = {"type": "message", "role": "assistant", "content": [text]}
    body = {
        "id": "resp_1", "object": "response", "status": "completed",
        "output": [call, result, message], "usage": {"total_tokens": 9},
    }  # fmt: skip
    heard = Hearing("hermes-responses").frame(
        "request", fields(method="POST", path="/v1/responses"), 1
    )
    heard.frame("data", JsonUnit(body, BodyFraming()), 1)  # type: ignore[arg-type]
    assert heard.run == ["terminal command ok", 'final "Whole." positional healthy']
    heard.frame("data", JsonUnit(body, BodyFraming()), 2)  # type: ignore[arg-type]
    assert len(heard.run) == 2, "a response that is read again is no turn"


def test_a_hang_up_is_no_cancel(heard: Hearing) -> None:
    assert heard.streams(chat.delta("tok0")).ends().run == ["failed incomplete degraded"]


def test_a_response_without_tokens_is_no_answer() -> None:
    stream = Stream()
    heard = Hearing("hermes-responses").streams(stream.created(), stream.opened())
    heard.streams(stream.delta("Half"), stream.completed(tokens=0))
    assert heard.run == ["failed missing_final degraded"]


def test_an_error_that_completes_a_response_is_none() -> None:
    stream = Stream()
    heard = Hearing("hermes-responses").streams(stream.created())
    heard.streams(stream.completed(tokens=0, told="HTTP 401: No"))
    assert heard.run == ["failed auth degraded"]


def test_the_joined_text_of_a_response_is_never_the_answer() -> None:
    stream = Stream()
    heard = Hearing("hermes-responses").streams(stream.created(), stream.opened())
    heard.streams(stream.delta("I'll look."), stream.called("t1", "terminal"))
    heard.streams(stream.returned("t1", {"exit_code": 0}), stream.text_done(), stream.completed())
    assert heard.run == ["said I'll look.", "terminal command ok", "failed missing_final degraded"]


def test_a_failed_response_says_its_code() -> None:
    stream = Stream()
    heard = Hearing("hermes-responses").streams(stream.created(), stream.failed("HTTP 503: Busy"))
    assert heard.run == ["failed provider_unavailable degraded"]


NOTICE = "⚠️ No reply: the model returned empty content after retries"
STEPS = "Sum.\n\n⚠️ No reply: the maximum tool-iteration limit was reached before"


@pytest.mark.parametrize(
    ("text", "told"),
    [(NOTICE, "failed missing_final degraded"), (STEPS, "failed max_turns healthy")],
)
def test_what_the_runtime_says_where_an_answer_would_be_is_none(text: str, told: str) -> None:
    stream = Stream()
    heard = Hearing("hermes-responses").streams(stream.created(), stream.opened())
    assert heard.streams(stream.delta(text), stream.completed()).run == [told]
    spoken = Hearing("hermes-acp").writes(commands.message("1", acp.SESSION, "Go."))
    assert spoken.prints(acp.chunk(text), acp.ended("1")).run == [told]
