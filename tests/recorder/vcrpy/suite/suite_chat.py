"""Tests of an application that talks to a provider, recorded by pytest-recording."""

import json
import os

import pytest
import requests

MODEL = os.environ.get("MODEL", "claude-sonnet-4-5")
KEY = {"x-api-key": os.environ["PROVIDER_KEY"]}


def ask(provider, *texts, **options):
    roles = ("user", "assistant")
    turns = [{"role": roles[n % 2], "content": text} for n, text in enumerate(texts)]
    body = {"model": MODEL, "max_tokens": 64, "messages": turns, **options}
    return requests.post(f"{provider}/v1/messages", json=body, headers=KEY, timeout=5, stream=True)


def streamed_text(answer):
    events = [
        json.loads(line.removeprefix(b"data: "))
        for line in answer.iter_lines()
        if line.startswith(b"data: ")
    ]
    assert events[0]["type"] == "message_start" and events[-1]["type"] == "message_stop"
    return "".join(e["delta"]["text"] for e in events if e["type"] == "content_block_delta")


@pytest.mark.vcr
def test_a_stream(provider):
    answer = ask(provider, "red", stream=True)
    assert answer.headers["content-type"] == "text/event-stream"
    assert streamed_text(answer) == "You said red"


@pytest.mark.vcr
def test_a_whole_answer(provider):
    answer = ask(provider, "blue").json()
    assert answer["content"][0]["text"] == "You said blue"
    assert answer["usage"]["output_tokens"] == 5


class TestConversation:
    @pytest.mark.vcr
    def test_turns(self, provider):
        first = streamed_text(ask(provider, "red", stream=True))
        second = streamed_text(ask(provider, "red", first, "green", stream=True))
        assert (first, second) == ("You said red", "You said green")

    @pytest.mark.vcr
    def test_the_same_turn_again(self, provider):
        for _ in range(2):
            assert ask(provider, "red").json()["stop_reason"] == "end_turn"


@pytest.mark.vcr(match_on=["method", "path", "body"])
@pytest.mark.parametrize("said", ["limit"])
def test_a_limit(provider, said):
    answer = ask(provider, said)
    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "1"
    assert answer.json()["error"]["type"] == "rate_limit_error"


@pytest.mark.vcr("shared.yaml")
def test_with_a_shared_cassette(provider):
    assert ask(provider, "red").json()["role"] == "assistant"
