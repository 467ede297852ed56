"""What a runtime says inside texts, names in event lines, JSON in strings, and times (S3, S6)."""

from __future__ import annotations

import json

import pytest

from turnreel.adapters import registry
from turnreel.sanitizers import Policy, Profile, Raw, Sanitizer
from turnreel.sanitizers.policy import Blocks, lines
from turnreel.wire.units import Json, JsonUnit, LineFraming, SseFraming, TextUnit

POLICY = Policy(
    dialect="test",
    version=1,
    discriminators={"frame": ("@event",)},
    lines=lines(
        """
        frame  say    piece   delta text
        frame  said   text    text
        frame  fails  text    shape
        frame  tool   result  source result
        frame  tick   at      when
        result *      code    int
        result *      error   shape
        result *      **      shape
        """
    ),
    blocks=Blocks(key=("id",), start="-", stop="said", tool="-"),
    names=frozenset({"sessions", "stream"}),
    notices=(r"HTTP [1-5][0-9]{2}(?=: )", "⚠ dropped"),
)


def cleaned(profile: Profile, *frames: tuple[str, dict[str, Json]]) -> list[Json]:
    sanitizer = Sanitizer({"agent": POLICY}, profile)
    raws = [
        Raw(n, "agent", "data", JsonUnit(value, SseFraming(event)), 1)
        for n, (event, value) in enumerate(frames)
    ]
    clean = [one for raw in raws for one in sanitizer.push(raw)] + sanitizer.flush()
    return [one.body.value for one in clean if isinstance(one.body, JsonUnit)]


def test_an_event_line_names_the_variant() -> None:
    assert cleaned("fixture", ("said", {"text": "Total."}), ("fails", {"text": "Total."})) == [
        {"text": "Total."},
        {"text": "Xxxxx."},
    ]


def test_without_an_event_line_nothing_is_listed() -> None:
    sanitizer = Sanitizer({"agent": POLICY}, "fixture")
    raw = Raw(0, "agent", "data", JsonUnit({"text": "Total."}, LineFraming()), 1)
    (clean,) = sanitizer.push(raw)
    assert isinstance(clean.body, JsonUnit)
    assert clean.body.value == {"text": "masked"}


@pytest.mark.parametrize("event", ["said", "fails"])
def test_a_notice_stands_wherever_the_runtime_says_it(event: str) -> None:
    (clean,) = cleaned("strict", (event, {"text": "Sorry. HTTP 429: Rate limit"}))
    assert clean == {"text": "Xxxxx. HTTP 429: Xxxx xxxxx"}


def test_a_notice_parts_a_streamed_text_into_texts_of_their_own() -> None:
    frames = [("say", {"id": "m", "piece": p}) for p in ("Read", "ing. ", "⚠ dropped", " Done.")]
    *pieces, whole = cleaned("strict", *frames, ("said", {"id": "m", "text": "Done."}))
    assert [piece["piece"] for piece in pieces] == ["Xxxx", "xxx. ", "⚠ dropped", " Xxxx."]  # type: ignore[index,call-overload]
    assert whole == {"id": "masked", "text": "Xxxx."}


@pytest.mark.parametrize("source", ['{"code": 2, "out": "ab"}', '{"code":2,"out":"ab"}'])
def test_json_in_a_string_keeps_its_typed_words(source: str) -> None:
    (clean,) = cleaned("fixture", ("tool", {"result": source}))
    assert isinstance(clean, dict)
    text = clean["result"]
    assert isinstance(text, str)
    assert json.loads(text)["code"] == 2
    assert "ab" not in text
    assert len(text) >= len(source)


@pytest.mark.parametrize("source", ["Error: no", "[" * 5000, "17", "{"])
def test_a_string_that_holds_no_object_is_shaped(source: str) -> None:
    (clean,) = cleaned("fixture", ("tool", {"result": source}))
    assert isinstance(clean, dict)
    assert clean["result"] in (source, "Xxxxx: xx", "00")


def one_frame(dialect: str, unit: JsonUnit | TextUnit) -> JsonUnit | TextUnit:
    sanitizer = Sanitizer({"provider": registry.policy(dialect)}, "strict")
    (clean,) = sanitizer.push(Raw(0, "provider", "data", unit, 1)) + sanitizer.flush()
    assert isinstance(clean.body, JsonUnit | TextUnit)
    return clean.body


@pytest.mark.parametrize("dialect", ["openai-chat", "hermes-chat"])
def test_the_mark_that_ends_a_chat_stays(dialect: str) -> None:
    """A client reads on until it comes, and takes anything else for JSON."""
    done = TextUnit("[DONE]", SseFraming())
    assert one_frame(dialect, done) == done


@pytest.mark.parametrize("field", ["delta", "arguments"])
def test_arguments_stay_json(field: str) -> None:
    """A number's shape would be none, and a word's neither."""
    kind = f"response.function_call_arguments.{'done' if field == 'arguments' else field}"
    source = '{"cmd": "cat key", "wait_ms": 2500, "tty": true, "out": null}'
    value: Json = {"type": kind, "output_index": 0, field: source}
    unit = one_frame("openai-responses", JsonUnit(value, SseFraming(event=kind)))
    told = json.loads(unit.value[field])  # type: ignore[union-attr,index,call-overload,arg-type]
    assert list(told.values()) == ["xxx xxx", 0, True, None]


def test_times_keep_their_fractions_and_their_distance() -> None:
    first, second = cleaned(
        "fixture", ("tick", {"at": 1796034850.5}), ("tick", {"at": 1796034850.75})
    )
    assert isinstance(first, dict) and isinstance(second, dict)
    assert second["at"] - first["at"] == 0.25  # type: ignore[operator]
    again, _ = cleaned("fixture", ("tick", first), ("tick", second))
    assert again == first


def test_a_path_keeps_the_words_of_the_dialect_past_the_gate() -> None:
    sanitizer = Sanitizer({"agent": POLICY}, "strict")
    path = "/api/sessions/acme_report_2026/stream"
    fields: dict[str, Json] = {"method": "POST", "path": path, "headers": {}}
    (clean,) = sanitizer.push(Raw(0, "agent", "request", fields, 1))
    assert clean.body == {**fields, "path": "/api/sessions/value-1/stream"}
