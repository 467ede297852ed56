"""Which recording answers which request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from turnreel.adapters.recognition import differences
from turnreel.adapters.registry import provider
from turnreel.replayer.matching import Asked, Hit, Matcher, Miss, Probe
from turnreel.replayer.shelf import Shelf
from turnreel.wire.units import Json, JsonUnit

if TYPE_CHECKING:
    from conftest import Recording

PATH = "/v1/messages"


def features(*roles: str, stream: bool = True, model: str = "m", results: Json = ()) -> Json:
    body = {
        "model": model,
        "stream": stream,
        "messages": [{"role": role, "content": "secret words"} for role in roles],
    }
    return provider("anthropic-messages").features("POST", PATH, msgspec.json.encode(body))


def matcher(recording: Recording) -> Matcher:
    return Matcher(Shelf([recording.tape()]))


def answered(found: Hit | Probe | Miss) -> int:
    assert isinstance(found, Hit), found
    return found.exchange.number


def test_features_decide_not_order(recording: Recording) -> None:
    recording.answer(1, features=features("user"))
    recording.answer(2, features=features("user", "assistant", "user"))
    found = matcher(recording)
    asked = Asked("POST", PATH, features("user", "assistant", "user"))
    assert answered(found.find(asked)) == 2
    assert answered(found.find(Asked("POST", f"{PATH}?beta=true", features("user")))) == 1


def test_tools_called_together_may_be_answered_in_any_order(recording: Recording) -> None:
    recording.answer(1, features={"history": ["user"], "results": ["a", "b"]})
    found = matcher(recording)
    asked = Asked("POST", PATH, {"history": ["user"], "results": ["b", "a"]})
    assert answered(found.find(asked)) == 1
    other = found.find(Asked("POST", PATH, {"history": ["user"], "results": ["b", "c"]}))
    assert isinstance(other, Miss)
    assert "/results/" in other.reason


def test_retries_of_one_step_get_the_recorded_ones_then_the_last_again(
    recording: Recording,
) -> None:
    for n in (1, 2):
        recording.answer(n, features=features("user"))
    recording.answer(3, features=features("user", "assistant"))
    found = matcher(recording)
    asked = Asked("POST", PATH, features("user"))
    assert [answered(found.find(asked)) for _ in range(4)] == [1, 2, 2, 2]


def test_without_recorded_features_order_decides(recording: Recording) -> None:
    for n in (1, 2):
        recording.answer(n)
    found = matcher(recording)
    asked = Asked("POST", PATH, features("user"))
    assert [answered(found.find(asked)) for _ in range(2)] == [1, 2]
    miss = found.find(asked)
    assert isinstance(miss, Miss)
    assert miss.reason.startswith("the 2 recorded answers to POST /v1/messages are used up")
    assert miss.nearest == 2


def test_what_an_import_knows_of_a_request_decides_as_far_as_it_goes(recording: Recording) -> None:
    recording.answer(1, features={"model": "a", "stream": True})
    recording.answer(2, features={"model": "b", "stream": True})
    found = matcher(recording)
    assert answered(found.find(Asked("POST", PATH, features("user", model="b")))) == 2


@pytest.mark.parametrize("shape", [features("user"), None])
def test_a_spoilt_exchange_answers_its_retry(recording: Recording, shape: Json) -> None:
    for n in (1, 2):
        recording.answer(n, features=shape)
    found = matcher(recording)
    asked = Asked("POST", PATH, features("user"))
    first = found.find(asked)
    assert isinstance(first, Hit)
    found.spoilt(first.entry)
    assert [answered(found.find(asked)) for _ in range(2)] == [1, 2]


def test_a_request_can_name_its_exchange(recording: Recording) -> None:
    for n in (1, 2):
        recording.answer(n, features=features("user"))
    found = matcher(recording)
    assert [answered(found.find(Asked("POST", PATH, None, 2))) for _ in range(2)] == [2, 2]
    missed = found.find(Asked("POST", PATH, None, 7))
    assert isinstance(missed, Miss)
    assert missed.reason == "there is no exchange 7"


@pytest.mark.parametrize("shape", [features("user"), None, {"stream": True}])
def test_the_unstreamed_form_of_a_streamed_step_is_derived(
    recording: Recording, shape: Json
) -> None:
    recording.answer(1, features=shape)
    found = matcher(recording).find(Asked("POST", PATH, features("user", stream=False)))
    assert isinstance(found, Hit)
    assert (found.exchange.number, found.form) == (1, "whole")


def test_a_recorded_unstreamed_step_goes_before_a_derived_one(recording: Recording) -> None:
    recording.answer(1, features=features("user"))
    recording.answer(2, features=features("user", stream=False))
    asked = Asked("POST", PATH, features("user", stream=False))
    assert answered(matcher(recording).find(asked)) == 2


def test_a_stream_without_its_end_has_no_whole_form(recording: Recording) -> None:
    recording.request(1)
    recording.response(1)
    recording.opening(1, ["Half"])
    found = matcher(recording).find(Asked("POST", PATH, features("user", stream=False)))
    assert isinstance(found, Hit)
    assert found.form == "recorded"


def test_a_miss_names_the_nearest_recording_and_the_difference(recording: Recording) -> None:
    recording.answer(1, features=features("user", "assistant", "user", "assistant", model="x"))
    recording.answer(2, features=features("user"))
    miss = matcher(recording).find(Asked("POST", PATH, features("user", model="other")))
    assert miss == Miss(
        'nearest is exchange 2, which differs at /model: "m" recorded, "other" asked',
        2,
        "test.cassette.jsonl",
        "ask for the recorded model",
    )


def test_a_miss_shows_no_content_and_few_differences(recording: Recording) -> None:
    recording.answer(1, features={str(n): n for n in range(9)})
    miss = matcher(recording).find(Asked("POST", PATH, features("user")))
    assert isinstance(miss, Miss)
    assert miss.reason.endswith("and 6 more")
    assert "secret" not in miss.reason


@pytest.mark.parametrize(
    ("method", "path", "value"),
    [("HEAD", "/", {}), ("POST", "/v1/messages/count_tokens", {"input_tokens": 1})],
)
def test_probes_need_no_recording(
    recording: Recording, method: str, path: str, value: Json
) -> None:
    recording.answer(1, features=features("user"))
    found = matcher(recording).find(Asked(method, path))
    assert isinstance(found, Probe)
    assert isinstance(found.unit, JsonUnit) and found.unit.value == value


def test_a_recorded_probe_goes_before_a_made_one_and_stays_answered(recording: Recording) -> None:
    recording.answer(1, method="HEAD", path="/")
    found = matcher(recording)
    assert answered(found.find(Asked("HEAD", "/"))) == 1
    assert isinstance(found.find(Asked("HEAD", "/")), Probe)


def test_another_endpoint_is_a_miss(recording: Recording) -> None:
    recording.answer(1)
    miss = matcher(recording).find(Asked("GET", "/v1/models"))
    assert isinstance(miss, Miss)
    assert miss.reason == "GET /v1/models was not recorded; recorded: POST /v1/messages"
    assert "record it with turnreel proxy" in miss.remedy


def test_differences_are_json_pointers() -> None:
    left: Json = {"a": [1, {"b": 2}], "c": "x" * 99, "d": [1]}
    right: Json = {"a": [1, {"b": 3}], "d": [], "extra": 1}
    assert list(differences(left, left)) == []
    assert list(differences(left, right)) == [
        "/a/1/b: 2 recorded, 3 asked",
        f'/c: "{"x" * 56}… recorded, null asked',
        "/d: 1 recorded, 0 asked",
    ]
