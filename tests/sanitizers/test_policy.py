"""Policies as data: what a line may say, and what becomes of what no line says."""

from __future__ import annotations

from typing import Any

import pytest

from turnreel.sanitizers import Policy, PolicyError, Raw, Report, Sanitizer
from turnreel.sanitizers.policy import Line, lines
from turnreel.wire.units import Json, JsonUnit, LineFraming

LINES = """
frame *       type           word
frame a       id             id
frame a       call           call
frame a       kind           enum one two
frame a       count          int
frame a       ratio          number
frame a       flag           bool
frame a       version        version
frame a       model          name
frame a       where          path
frame a       at             when
frame a       said           text
frame a       typed          shape
frame a       shown          scrub
frame a       dropped        drop
frame a       thought        filler
frame a       run            command
frame a       inner          record inner
frame a       inners[]       record inner
frame a       by.{name}      int
frame a       free.**        shape
frame a       known.listed   int
frame a/*     more           int   # what every kind of a has
inner x       value          text
inner y       value          int
"""


def policy(text: str = LINES) -> Policy:
    return Policy(
        dialect="test",
        version=1,
        discriminators={"frame": ("type", "subtype"), "inner": ("is",)},
        lines=lines(text),
        names=frozenset({"public-1-model"}),
        name_prefixes=("mcp__",),
        literals=("[Interrupted",),
        inner=("limit reached:",),
    )


def clean(value: Json, **options: Any) -> tuple[Json, Report]:
    sanitizer = Sanitizer({"t": policy(**options)}, "fixture")
    raw = Raw(0, "t", "out", JsonUnit(value, LineFraming()))
    (one,) = sanitizer.push(raw) + sanitizer.flush()
    assert isinstance(one.body, JsonUnit)
    return one.body.value, sanitizer.report()


@pytest.mark.parametrize(
    ("key", "value", "landed"),
    [
        ("id", "msg_01AbCd", "msg_000001"),
        ("call", 7, 7),
        ("call", 123456789012, 0),
        ("call", "msg_01AbCd", "msg_000001"),
        ("call", ["x"], ["masked"]),
        ("typed", "Oh (limit reached: Jane 5)", "Xx (limit reached: Xxxx 0)"),
        ("typed", "at 10.1.2.34", "xx 00.0.0.00"),
        ("shown", "at 10.1.2.34", "at ip-1"),
        ("dropped", ["Jane", 7, {"Jane": "x"}], ["", 0, {"field-1": ""}]),
        ("kind", "two", "two"),
        ("kind", "three", "value-1"),
        ("count", 7, 7),
        ("count", "seven", "masked"),
        ("ratio", 0.5, 0.5),
        ("flag", True, True),
        ("flag", 1, 0),
        ("version", "2.1.332", "2.1.332"),
        ("version", "my secret", "value-1"),
        ("model", "public-1-model", "public-1-model"),
        ("model", "my-own", "name-1"),
        ("model", "mcp__mine__tool", "mcp__name-1"),
        ("where", "/home/jane/x", "path-1"),
        ("at", "2026-11-30T10:38:04.738Z", "2000-01-01T00:00:00.000Z"),
        ("at", "tomorrow", "masked"),
        ("said", "at /home/jane now", "at /home/user-1 now"),
        ("said", ["in /home/jane", 3], ["in /home/user-1", 3]),
        ("typed", "Jane: 42 €", "Xxxx: 00 €"),
        ("typed", "[Interrupted by Jane]", "[Interrupted xx Xxxx]"),
        ("typed", {"type": "Jane", "jane": 1}, {"type": "Xxxx", "field-1": 0}),
        ("thought", "so I think", "xxxxxxxxxx"),
        ("run", "FOO=1 /usr/bin/git push origin", "XXX=0 /xxx/xxx/git xxxx xxxxxx"),
        ("inner", {"is": "x", "value": "told"}, {"is": "masked", "value": "told"}),
        ("inner", {"is": "y", "value": "told"}, {"is": "masked", "value": "masked"}),
        ("inners", [{"is": "y", "value": 4}], [{"is": "masked", "value": 4}]),
        ("by", {"public-1-model": 1, "mine": 2}, {"public-1-model": 1, "name-1": 2}),
        ("free", {"type": "Jane", "q?": [1]}, {"type": "Xxxx", "field-1": [0]}),
        ("said", None, None),
    ],
)
def test_a_mode_says_how_a_value_lands(key: str, value: Json, landed: Json) -> None:
    assert clean({"type": "a", key: value})[0] == {"type": "a", key: landed}


def test_what_no_line_names_is_masked_and_counted() -> None:
    value: Json = {
        "type": "a",
        "news": {"deep": ["secret", 5, True, None]},
        "known": {"listed": 1, "other": "x"},
        "Jane Doe": 1,
    }
    landed, report = clean(value)
    assert landed == {
        "type": "a",
        "news": {"field-1": ["masked", 0, True, None]},
        "known": {"listed": 1, "other": "masked"},
        "field-2": 0,
    }
    assert {(one.frame, one.path, one.type, one.count) for one in report.unlisted} == {
        ("a", "frame:.news", "object", 1),
        ("a", "frame:.known.other", "string", 1),
        ("a", "frame:.field-2", "number", 1),
    }


def test_an_unknown_event_keeps_its_type_alone() -> None:
    landed, report = clean({"type": "future_event", "said": "secret", "count": 3})
    assert landed == {"type": "future_event", "said": "masked", "count": 0}
    assert {one.frame for one in report.unlisted} == {"future_event"}


def test_a_type_that_is_no_word_tells_nothing() -> None:
    landed, report = clean({"type": "Jane's secret", "count": 3})
    assert landed == {"type": "value-1", "count": 0}
    assert {one.frame for one in report.unlisted} == {"value-1"}


def test_a_line_for_many_variants_holds_in_each() -> None:
    landed, _ = clean({"type": "a", "subtype": "b", "more": 2, "count": 2})
    assert landed == {"type": "a", "subtype": "masked", "more": 2, "count": 0}


def test_a_later_line_wins() -> None:
    landed, _ = clean({"type": "a", "said": "Jane"}, text=LINES + "frame a said shape")
    assert landed == {"type": "a", "said": "Xxxx"}


def test_what_is_no_object_is_masked() -> None:
    assert clean(["secret", 1])[0] == ["masked", 0]
    assert clean("secret")[0] == "masked"


def test_a_line_prints_as_it_is_written() -> None:
    assert str(Line("frame", "a/*", "x.y[]", "enum", ("b", "c"))) == "frame a/* x.y[] enum b c"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("frame a id", "line 1 has 3 fields"),
        ("\nframe a id secretly", "line 2 names no known mode"),
        ("frame a id enum", "mode enum with 0 arguments"),
        ("frame a id int 4", "mode int with 1 arguments"),
    ],
)
def test_a_policy_that_cannot_be_read_says_where(text: str, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        lines(text)
