"""The seal gate: whatever the engine let through is seen once more."""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace

import pytest
from hypothesis import given

from turnreel.sanitizers.gate import Body, Gate, Objection
from turnreel.sanitizers.known import KnownSecrets
from turnreel.sanitizers.opinion import NoOpinion, kingfisher
from turnreel.sanitizers.report import Tally
from turnreel.sanitizers.scanner import Scanner
from turnreel.sanitizers.slots import Slot
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


def test_what_is_found_whatever_is_masked_is_objected_to_by_rule_and_record() -> None:
    one = Gate(Scanner(known=KnownSecrets(secrets=("masked", "xxxxxx")).literals()))
    one.admit([TextUnit("fine", LineFraming()), TextUnit("so: masked", LineFraming())])
    assert one.objections == [Objection("known-key", 2)]


def streamed(*texts: str) -> tuple[list[Body], list[Slot]]:
    """Records that hold the decided pieces of one block."""
    bodies: list[Body] = []
    slots: list[Slot] = []
    for text in texts:
        home: dict[str, Json] = {"text": ""}
        slot = Slot(text, "text", home, "text")
        slot.take(len(text))
        slot.settle()
        bodies.append(JsonUnit(home, SseFraming()))
        slots.append(slot)
    return bodies, slots


def test_pieces_of_a_text_are_looked_at_together() -> None:
    """What is found in a piece alone is none; what is found across them is."""
    bodies, slots = streamed("at 1", "27.0.0.1 or janedoe", "ish")
    texts = [body.value["text"] for body in gate().admit(bodies, slots)]  # type: ignore[union-attr,call-overload,index]
    assert texts == ["at 1", "27.0.0.1 or janedoe", "ish"]
    bodies, slots = streamed("a ", KEY[:9], "", KEY[9:], " so")
    landed = "".join(str(body.value["text"]) for body in gate().admit(bodies, slots))  # type: ignore[union-attr,call-overload,index]
    assert landed == "x xx-xxx-xxx00-xX0xX0xX0xX0xX0xX0xX xx"


def test_a_second_opinion_is_asked_and_followed() -> None:
    def opinion(text: str) -> list[str]:
        return ["colour"] if "blue" in text else []

    tally = Tally()
    one = Gate(Scanner(), tally, opinion)
    value: Json = {"sky": "is blue", "sea": "is green"}
    body = admitted(JsonUnit(value, LineFraming()), one)
    assert body == JsonUnit({"sky": "xx xxxx", "sea": "is green"}, LineFraming())
    assert tally.report().gate == {"colour": 1} and one.objections == []


def test_an_opinion_of_several_strings_together_masks_them_all() -> None:
    def opinion(text: str) -> list[str]:
        return ["pair"] if "user" in text and "word" in text else []

    body = admitted(TextUnit("word", LineFraming()), Gate(Scanner(), None, opinion))
    assert body == TextUnit("word", LineFraming())
    value: Json = {"a": "user", "b": "word"}
    body = admitted(JsonUnit(value, LineFraming()), Gate(Scanner(), None, opinion))
    assert body == JsonUnit({"x": "xxxx"}, LineFraming())


def test_kingfisher_is_asked_for_by_name_or_the_extra_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kingfisher_sdk", None)
    with pytest.raises(NoOpinion) as told:
        kingfisher()
    assert "turnreel[scan]" in told.value.remedy


def test_kingfisher_answers_with_the_rules_that_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    class Scanner:
        def __init__(self, *, redact: bool) -> None:
            assert redact

        def scan(self, data: bytes) -> list[SimpleNamespace]:
            shown = data == b"a token"
            return [SimpleNamespace(rule_id="betterleaks.x", visible=shown)]

    monkeypatch.setitem(sys.modules, "kingfisher_sdk", SimpleNamespace(Scanner=Scanner))
    assert list(kingfisher()("a token")) == ["betterleaks.x"]
    assert list(kingfisher()("a word")) == []


@given(texts)
def test_nothing_found_is_left(text: str) -> None:
    one = gate()
    body = admitted(TextUnit(text, LineFraming()), one)
    assert isinstance(body, TextUnit)
    assert admitted(body, one) == body
