"""The Chat Completions API in its own words: features, whole answers, probes; and what lands."""

from __future__ import annotations

import json

from turnreel.adapters import registry
from turnreel.adapters.openai_chat import builders
from turnreel.adapters.openai_chat.features import features
from turnreel.adapters.openai_chat.render import answer, replies
from turnreel.adapters.steps import Answer, Break, Call, Reject, Say, Think
from turnreel.sanitizers import Raw, Sanitizer
from turnreel.wire.units import Json, JsonUnit, SseFraming

PROVIDER = registry.provider("openai-chat")
BLOCKS = (
    Think("secret plan of mine"),
    Say("Hello\nmy friend."),
    Call("call_1", "terminal", {"command": 'echo "a\nb"', "n": 3}),
    Call("call_2", "read_file", {"path": "/srv/acme\t1"}),
)


def units() -> list[JsonUnit]:
    return [JsonUnit(chunk, SseFraming()) for chunk in answer("chatcmpl-1", BLOCKS, "tool_use")]


def test_a_whole_answer_is_what_its_chunks_add_up_to() -> None:
    whole = PROVIDER.whole(units())
    assert whole is not None and isinstance(whole.value, dict)
    alone = builders.whole_message("chatcmpl-1", BLOCKS, "tool_use")
    assert {**alone, "usage": whole.value["usage"]} == whole.value


def test_a_broken_answer_is_no_whole_one() -> None:
    (broken,) = replies((Break("Half"),))
    assert PROVIDER.whole(JsonUnit(chunk, SseFraming()) for chunk in broken.events) is None


def test_an_error_has_the_shape_of_the_api() -> None:
    assert PROVIDER.error(404, "no recording").value == {
        "error": {
            "message": "no recording",
            "type": "invalid_request_error",
            "param": None,
            "code": None,
        }
    }
    (refused,) = replies((Reject(500),))
    assert refused.events[0]["error"] == {
        "message": "scripted",
        "type": "server_error",
        "param": None,
        "code": None,
    }


def test_what_agents_ask_beside_the_conversation_needs_no_recording() -> None:
    models = PROVIDER.probe("GET", "/v1/models?limit=9")
    assert models is not None and models.value == {"object": "list", "data": []}
    assert PROVIDER.probe("HEAD", "/") is not None
    assert PROVIDER.probe("POST", "/v1/chat/completions") is None


def test_a_request_is_known_by_its_shape() -> None:
    body: Json = {
        "model": "gpt-5.2",
        "stream": True,
        "messages": [
            {"role": "system", "content": "secret"},
            {"role": "user", "content": "Go."},
            {"role": "assistant", "content": "", "tool_calls": [{"id": "c1"}, {"id": "c2"}]},
            {"role": "tool", "tool_call_id": "c1", "content": "x"},
            {"role": "tool", "tool_call_id": "c2", "content": "y"},
        ],
    }
    shape = features("post", "/v1/chat/completions?x=1", body)
    assert shape == {
        "method": "POST",
        "path": "/v1/chat/completions",
        "model": "gpt-5.2",
        "stream": True,
        "history": ["system", "user", "assistant calls", "tool", "tool"],
        "results": ["c1", "c2"],
    }
    assert PROVIDER.features("post", "/v1/chat/completions", json.dumps(body).encode()) == shape
    assert features("GET", "/v1/models", None) == {"method": "GET", "path": "/v1/models"}


def test_reasoning_and_arguments_do_not_land_and_sources_stay_json() -> None:
    for profile in ("fixture", "strict"):
        sanitizer = Sanitizer({"provider": registry.policy("openai-chat")}, profile)
        clean = [
            one
            for n, unit in enumerate(units())
            for one in sanitizer.push(Raw(n, "provider", "data", unit, 1))
        ] + sanitizer.flush()
        whole = PROVIDER.whole(one.body for one in clean if isinstance(one.body, JsonUnit))
        text = json.dumps([one.body.value for one in clean if isinstance(one.body, JsonUnit)])
        assert not any(word in text for word in ("secret", "echo", "acme"))
        assert sanitizer.report().unlisted == ()
        assert whole is not None and isinstance(whole.value, dict)
        calls = whole.value["choices"][0]["message"]["tool_calls"]  # type: ignore[call-overload,index]
        assert [sorted(json.loads(call["function"]["arguments"])) for call in calls]  # type: ignore[call-overload,index,union-attr]


def test_answers_render_alike_each_time() -> None:
    script = (Answer((Say("One."),)),)
    assert replies(script) == replies(script)
