"""Hidden reasoning of chat providers never lands, whichever way it is sent (C4, S4)."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnreel.adapters import registry
from turnreel.sanitizers import Profile, Raw, Sanitizer
from turnreel.wire.units import Json, JsonUnit, SseFraming

from .conftest import split

KEY = "sk-ant-api03-aB3dE5fG7hJ9kL1mN2pQ"
MARKS = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("[THINK]", "[/THINK]"),
    ("<|channel|>analysis<|message|>", "<|end|>"),
]


def chunk(delta: Json, choice: int = 0) -> Raw:
    value: Json = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "choices": [{"index": choice, "delta": delta, "finish_reason": None}],
    }
    return Raw(0, "provider", "data", JsonUnit(value, SseFraming()), 1)


def landed(raws: Iterable[Raw], profile: Profile = "fixture") -> list[Json]:
    one = Sanitizer({"provider": registry.policy("openai-chat")}, profile)
    cleans = [clean for raw in raws for clean in one.push(raw)] + one.flush()
    bodies = [clean.body for clean in cleans]
    return [body.value for body in bodies if isinstance(body, JsonUnit)]


def said(frames: Iterable[Json], choice: int = 0) -> str:
    parts = []
    for frame in frames:
        match frame:
            case {"choices": [{"index": int(index), "delta": {"content": str(text)}}]}:
                parts.append(text if index == choice else "")
    return "".join(parts)


@pytest.mark.parametrize(("begin", "end"), MARKS)
@given(pieces=split(st.just("\nThey want a sum.\nTwo and two.\n")))
def test_marked_reasoning_in_the_text_goes(begin: str, end: str, pieces: list[str]) -> None:
    raws = [chunk({"content": piece}) for piece in [begin, *pieces, end, "\n\nFour", "."]]
    frames = landed(raws)
    assert len(frames) == len(raws)
    assert said(frames) == f"{begin}value-1{end}\n\nFour."


@given(split(st.just("<think>They want a sum.</think>Four.<think>")))
def test_marks_are_found_however_they_are_cut(pieces: list[str]) -> None:
    assert said(landed(chunk({"content": piece}) for piece in pieces)) == (
        "<think>value-1</think>Four.<think>"
    )


def test_reasoning_that_was_cut_goes() -> None:
    assert said(landed([chunk({"content": "<think>They wa"}), chunk({"content": "nt"})])) == (
        "<think>value-1"
    )


@pytest.mark.parametrize("profile", ["fixture", "strict"])
@pytest.mark.parametrize("field", ["reasoning", "reasoning_content", "reasoning_details"])
def test_reasoning_in_a_field_of_its_own_goes(field: str, profile: Profile) -> None:
    hidden: Json = "They want a sum."
    if field == "reasoning_details":
        hidden = [{"type": "reasoning.text", "text": hidden, "format": "x"}]
    text = json.dumps(landed([chunk({field: hidden}), chunk({"content": "Four."})], profile))
    assert "want" not in text and "sum" not in text


def test_a_secret_is_found_where_two_choices_come_in_turns() -> None:
    raws = [
        chunk({"content": piece}, choice)
        for piece in (KEY[:9], KEY[9:20], KEY[20:])
        for choice in (0, 1)
    ]
    frames = landed(raws)
    assert said(frames, 0) == said(frames, 1) == "key-1"
