"""The seal gate: whatever the engine let through is seen once more."""

from __future__ import annotations

import json

from hypothesis import given

from turnreel.sanitizers.gate import Body, Gate
from turnreel.sanitizers.known import KnownSecrets
from turnreel.sanitizers.report import Tally
from turnreel.sanitizers.scanner import Scanner
from turnreel.wire.units import Json, JsonUnit, LineFraming, SseFraming, TextUnit, TornUnit

from .conftest import texts

KEY = "sk-ant-api03-aB3dE5fG7hJ9kL1mN2pQ"
KNOWN = KnownSecrets(secrets=('sword"fish/99',), user="janedoe")


def gate(tally: Tally | None = None) -> Gate:
    return Gate(Scanner(known=KNOWN.literals()), tally)


def admitted(body: Body, by: Gate | None = None) -> Body:
    (one,) = (by or gate()).admit([body])
    return one


def test_of_many_bodies_only_the_unclean_change() -> None:
    clean, unclean = TextUnit("words", LineFraming()), TextUnit(KEY, LineFraming())
    first, second = gate().admit([clean, unclean])
    assert first is clean and second != unclean


def test_a_clean_body_is_the_same_object() -> None:
    body = JsonUnit({"type": "ping", "n": [1, "words"]}, LineFraming())
    assert admitted(body) is body
    fields: dict[str, Json] = {"code": 0}
    assert admitted(fields) is fields


def test_what_is_found_is_masked_in_its_place_and_counted() -> None:
    tally = Tally()
    value: Json = {"a": ["fine", f"see {KEY}"], KEY: "janedoe", "n": 3}
    body = admitted(JsonUnit(value, LineFraming()), gate(tally))
    assert isinstance(body, JsonUnit)
    assert body.value == {
        "a": ["fine", "xxx xx-xxx-xxx00-xX0xX0xX0xX0xX0xX0xX"],
        "xx-xxx-xxx00-xX0xX0xX0xX0xX0xX0xX": "xxxxxxx",
        "n": 3,
    }
    assert tally.report().gate == {"anthropic": 2, "known-user": 1}


def test_texts_and_torn_units_pass_the_gate_too() -> None:
    masked = admitted(TextUnit(f"key {KEY}", SseFraming()))
    assert masked == TextUnit("xxx xx-xxx-xxx00-xX0xX0xX0xX0xX0xX0xX", SseFraming())
    torn = TornUnit(4, "cut", LineFraming())
    assert admitted(torn) is torn


def test_a_line_is_checked_as_it_stands_and_as_it_reads() -> None:
    assert gate().check('[1,"agent","out",{"type":"ping"}]') == []
    assert {hit.rule for hit in gate().check(json.dumps([KEY]))} == {"anthropic"}
    escaped = json.dumps({"a": json.dumps(['sword"fish/99'])})
    assert {hit.rule for hit in gate().check(escaped)} == {"known-key"}
    assert {hit.rule for hit in gate().check(f"not json {KEY}")} == {"anthropic"}
    assert {hit.rule for hit in gate().check(r'"\u006aanedoe"')} == {"known-user"}


def test_what_shape_does_not_hide_is_filled() -> None:
    scanner = Scanner(known=KnownSecrets(secrets=("xxxxxxxx", "-" * 8)).literals())
    body = admitted(TextUnit("swordfish " + "-" * 8, LineFraming()), Gate(scanner))
    assert body == TextUnit("masked", LineFraming())


@given(texts)
def test_nothing_found_is_left(text: str) -> None:
    one = gate()
    body = admitted(TextUnit(text, LineFraming()), one)
    assert isinstance(body, TextUnit)
    assert admitted(body, one) == body
