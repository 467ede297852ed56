"""Texts in deltas: the same whole however they are cut, and each delta its own share of it."""

from __future__ import annotations

import json
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from turnreel.sanitizers.fields import FIELDS
from turnreel.sanitizers.json_source import JsonBlock
from turnreel.sanitizers.json_text import JsonText
from turnreel.sanitizers.placeholders import Placeholders
from turnreel.sanitizers.report import Tally
from turnreel.sanitizers.scanner import Scanner
from turnreel.sanitizers.scrub import Scrubber
from turnreel.sanitizers.shape import shape
from turnreel.sanitizers.slots import Slot, Visit
from turnreel.sanitizers.sources import Sources
from turnreel.sanitizers.streaming import BATCH, CAP, Block, TextBlock, WholeBlock
from turnreel.sanitizers.treatments import Public, Treatments
from turnreel.sanitizers.tree import Leaf, Node

from .conftest import split, texts

SCANNER = Scanner()
KEY = "sk-ant-api03-aB3dE5fG7hJ9kL1mN2pQ"


def scrubber() -> Scrubber:
    return Scrubber(SCANNER, Placeholders(), Tally(), "fixture", Sources())


def stream(block: Block, pieces: list[str]) -> list[str]:
    """What each piece became. Asserts that none was forgotten and order was kept."""
    slots = [Slot(piece, "text", {}, "") for piece in pieces]
    decided: list[int] = []

    for number, slot in enumerate(slots):
        slot.done = partial(decided.append, number)
        block.feed(slot)
    block.close()
    assert decided == sorted(decided) == list(range(len(pieces)))
    return [slot.landed for slot in slots]


def shares(text: str, pieces: list[str], treat: Scrubber) -> list[str]:
    """What each piece must become, worked out from the whole text alone."""
    bounds = [0]
    for piece in pieces:
        bounds.append(bounds[-1] + len(piece))
    owner = [place for place, piece in enumerate(pieces) for _ in piece]
    out = ["" for _ in pieces]
    at = 0
    for span in SCANNER.spans(text):
        for place in range(at, span.start):
            out[owner[place]] += text[place]
        value = span.value or text[span.start : span.end]
        out[owner[span.start]] += treat.replacement(span._replace(value=value))
        at = span.end
    for place in range(at, len(text)):
        out[owner[place]] += text[place]
    return out


@given(split())
@example(["mail ", "", "me", "@ex", "ample.com"])
@example(["x" * 700, KEY[:9], KEY[9:], " y" * 500])
def test_each_delta_is_its_share_of_the_whole(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert stream(TextBlock(scrubber()), pieces) == shares(text, pieces, scrubber())


@given(split(st.lists(texts, min_size=3, max_size=6).map((" and so on, " * 40).join)))
def test_long_texts_are_decided_in_windows(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert "".join(stream(TextBlock(scrubber()), pieces)) == scrubber().scrub(text)


@given(texts)
@example("-passin pass:QWAZuaNWo")
def test_scrubbing_twice_changes_nothing(text: str) -> None:
    once = scrubber().scrub(text)
    assert scrubber().scrub(once) == once


def test_text_is_held_back_no_longer_than_a_window() -> None:
    block = TextBlock(scrubber())
    waiting: set[int] = set()
    most = 0
    for number in range(2000):
        slot = Slot("some words, ", "text", {}, "")
        slot.done = partial(waiting.discard, number)
        waiting.add(number)
        block.feed(slot)
        most = max(most, len(waiting) * len(slot.text))
    assert most <= SCANNER.window + BATCH + 64


def test_an_endless_token_is_cut_off_and_masked_on() -> None:
    token = "aB3" * (CAP // 3 + 500)
    pieces = [token[at : at + 700] for at in range(0, len(token), 700)]
    out = "".join(stream(TextBlock(scrubber()), [*pieces, "aB3aB3 and then words"]))
    assert "aB3" not in out
    assert out.endswith(" and then words")


def test_an_endless_private_key_stays_masked_up_to_its_end_mark() -> None:
    lines = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB\n", "short\n", "only letters\n"]
    pieces = ["-----BEGIN PRIVATE KEY-----\n", *lines * (CAP // 60 + 50)]
    text = [*pieces, "-----END PRI", "VATE KEY----", "-\nand then words"]
    out = "".join(stream(TextBlock(scrubber()), text))
    assert "MIIE" not in out and "short" not in out and "letters" not in out
    assert out.endswith("x\nand then words")


@given(split())
def test_a_whole_block_is_its_treatment_in_as_many_pieces(pieces: list[str]) -> None:
    out = stream(WholeBlock(shape), pieces)
    assert out == [shape(piece) for piece in pieces]


def field(_: Treatments, key: str) -> str:
    return key if key.isalpha() and key.isascii() else "field-1"


NODES: dict[str, Node] = {
    "shape": Leaf(Treatments.bare, Treatments.zero, field, by_character=shape),
    "text": Leaf(Treatments.scrub, Treatments.same, field),
}


def walk() -> Visit:
    return Visit("agent", "frame", Treatments(FIELDS, scrubber(), Public(())))


values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        texts,
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["a", "b c", "path", 'q"', "é"]), inner, max_size=3),
    ),
    max_leaves=8,
)
wholes = st.one_of(
    st.lists(values, max_size=3),
    st.dictionaries(st.sampled_from(["a", "b c", "path", 'q"', "é"]), values, max_size=3),
)
sources = st.tuples(wholes, st.booleans(), st.sampled_from([(",", ":"), (", ", ": ")])).map(
    lambda drawn: json.dumps(drawn[0], ensure_ascii=drawn[1], separators=drawn[2])
)


@pytest.mark.parametrize("kind", NODES)
@given(pieces=split(sources))
def test_json_in_deltas_adds_up_to_the_completed_value(kind: str, pieces: list[str]) -> None:
    visit = walk()
    source = "".join(pieces)
    whole = NODES[kind].clean(json.loads(source), visit)
    out = "".join(stream(JsonBlock(NODES[kind], visit), pieces))
    assert json.loads(out) == whole


@pytest.mark.parametrize("kind", NODES)
@given(pieces=split(sources))
def test_json_is_the_same_however_it_is_cut(kind: str, pieces: list[str]) -> None:
    visit = walk()
    out = stream(JsonBlock(NODES[kind], visit), pieces)
    whole = stream(JsonBlock(NODES[kind], visit), ["".join(pieces)])
    assert "".join(out) == whole[0]


torn = sources.flatmap(lambda source: st.integers(0, len(source)).map(lambda end: source[:end]))
noise = st.text(alphabet='{}[],:"\\u0aé1-etrufalsn ', max_size=30)


@pytest.mark.parametrize("kind", NODES)
@given(pieces=split(st.one_of(torn, noise)))
def test_json_that_is_torn_or_none_still_comes_out_in_pieces(kind: str, pieces: list[str]) -> None:
    visit = walk()
    out = stream(JsonBlock(NODES[kind], visit), pieces)
    assert len(out) == len(pieces)
    assert "".join(out) == stream(JsonBlock(NODES[kind], visit), ["".join(pieces)])[0]


@pytest.mark.parametrize("kind", NODES)
@given(pieces=split(st.one_of(sources, torn, noise)))
def test_a_completed_source_is_what_its_deltas_add_up_to(kind: str, pieces: list[str]) -> None:
    """Whatever it is: JSON however it was written, the beginning of some, or none."""
    visit = walk()
    out = stream(JsonBlock(NODES[kind], visit), pieces)
    assert "".join(out) == JsonText(NODES[kind], NODES[kind]).clean("".join(pieces), visit)


def test_what_stands_outside_of_an_object_is_shaped() -> None:
    out = stream(JsonBlock(NODES["text"], walk()), ['Jane, 17: {"a"', ': "Jane"} "Ja', 'ne" true'])
    assert out == ['Xxxx, 00: {"a"', ': "Jane"} "Xx', 'xx" xxxx']


def test_nothing_of_shaped_json_survives() -> None:
    source = json.dumps({"path": "/home/jane/x", "b c": ["tök\u0065n", {"é": 12.5}]})
    out = "".join(stream(JsonBlock(NODES["shape"], walk()), list(source)))
    assert json.loads(out) == {"path": "/xxxx/xxxx/x", "field-1": ["xxxxx", {"field-1": 0}]}


def test_a_torn_string_leaves_its_shape_alone() -> None:
    out = "".join(stream(JsonBlock(NODES["text"], walk()), ['{"path": "/home/ja', "ne"]))
    assert out == '{"path": "/xxxx/xxxx'
