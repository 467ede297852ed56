"""When a live request is a recorded one again."""

from __future__ import annotations

import pytest

from turnreel.adapters.recognition import differences, fits, same_path
from turnreel.wire.units import Json

RECORDED: Json = {
    "method": "POST",
    "path": "/v1/messages",
    "model": "claude-sonnet-4-5",
    "stream": True,
    "history": ["user text"],
    "results": ["toolu_0001"],
}


def changed(**features: Json) -> Json:
    assert isinstance(RECORDED, dict)
    return {**RECORDED, **features}


def test_what_was_recorded_must_be_equal() -> None:
    assert fits(RECORDED, RECORDED) and fits({}, RECORDED)
    assert fits(RECORDED, changed(temperature=1))
    assert not fits(None, RECORDED) and not fits(changed(temperature=1), RECORDED)
    found = list(differences(RECORDED, changed(stream=False, history=["user text", "x"])))
    assert found == ["/stream: true recorded, false asked", "/history: 1 recorded, 2 asked"]


@pytest.mark.parametrize(
    ("recorded", "asked"),
    [
        ({"model": "name-1"}, {"model": "meta-llama/Llama-3.3-70B"}),
        ({"path": "/value-1/v1/messages"}, {"path": "/gateway/v1/messages"}),
        ({"path": "/v1/value-12/value-1"}, {"path": "/v1/berlin/paris"}),
    ],
)
def test_what_was_masked_may_be_any(recorded: Json, asked: Json) -> None:
    assert fits(recorded, asked)
    assert not fits(asked, recorded) or recorded == asked


@pytest.mark.parametrize(
    ("recorded", "asked"),
    [
        ({"model": "name-one"}, {"model": "x"}),
        ({"model": "key-1"}, {"model": "x"}),
        ({"model": "name-1"}, {"model": None}),
        ({"model": "name-1"}, {}),
        ({"results": ["toolu_0001"]}, {"results": ["toolu_0002"]}),
        ({"path": "/value-1/v1/messages"}, {"path": "/v1/messages"}),
        ({"path": "/value-1/v1/messages"}, {"path": "/a/b/messages"}),
        ({"path": "/v1/value-1"}, {"path": "/v1/"}),
    ],
)
def test_what_was_said_may_not(recorded: Json, asked: Json) -> None:
    assert not fits(recorded, asked)


def test_paths() -> None:
    assert same_path("/", "/") and same_path("/value-1", "/a")
    assert not same_path("/a", "/") and not same_path("/value-1", "/")
