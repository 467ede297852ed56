"""One layer of encoding taken off, and the way back to the places where it stood."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnreel.sanitizers.lenses import ESCAPES, PERCENT, Layer, Lens, is_encoded
from turnreel.sanitizers.lookalikes import FOLDED, UNSEEN, UNSEEN_FAR

from .conftest import encoded_texts, split

layers = st.sampled_from([ESCAPES, PERCENT])


def shown(layer: Layer, text: str) -> str:
    return read_whole(Lens(layer, 0), [text])


def read_whole(lens: Lens, pieces: list[str]) -> str:
    read = "".join(map(lens.feed, pieces))
    lens.finish()
    return read


@given(st.text(st.characters(exclude_categories=["Cs"], max_codepoint=0xFFFF)))
def test_what_json_escapes_reads_again(text: str) -> None:
    plain = re.sub(rf"[{UNSEEN}{UNSEEN_FAR}\x1b\x9b\\\\%\r&]", "", text).translate(FOLDED)
    assert shown(ESCAPES, json.dumps(plain)[1:-1]) == plain


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_what_percent_encodes_reads_again(text: str) -> None:
    assert shown(PERCENT, quote(text, safe="")) == text


@given(layers, split(encoded_texts))
def test_pieces_read_as_the_whole_does(layer: Layer, pieces: list[str]) -> None:
    lens = Lens(layer, 0)
    assert read_whole(lens, pieces) == shown(layer, "".join(pieces))
    assert lens.source == len("".join(pieces))


@given(layers, encoded_texts)
def test_every_place_leads_back_to_what_stands_there(layer: Layer, text: str) -> None:
    """Character by character: the places between which one stands read as it, and in order."""
    lens = Lens(layer, 0)
    read = read_whole(lens, [text])
    before = 0
    for place, character in enumerate(read):
        start, end = lens.start(place), lens.end(place + 1)
        assert before <= start < end <= len(text)
        assert shown(layer, text[start:end]) == character or text[start:end] == character
        assert lens.shown(start) == place and lens.whole(end) >= place + 1
        before = end


@pytest.mark.parametrize(
    "text", ["plain", "C:\\Users\\Jane", "100% of", "a\r\nb", "\\q", "%zz", "日本語"]
)
@pytest.mark.parametrize("layer", [ESCAPES, PERCENT], ids=["escapes", "percent"])
def test_what_does_not_decode_stays(layer: Layer, text: str) -> None:
    assert shown(layer, text) == text


@pytest.mark.parametrize("end", ["\\", "\\u00", "\\x5", "&#4", "&am", "\x1b[3", "\r"])
def test_an_escape_that_is_cut_off_shows_nothing(end: str) -> None:
    assert shown(ESCAPES, f"\\u0041b{end}") == "Ab"
    assert shown(PERCENT, "%41b%4") == shown(PERCENT, "%41b%") == "Ab"


def test_a_layer_leaves_the_other() -> None:
    assert shown(ESCAPES, "\\u0041%41") == "A%41"
    assert shown(PERCENT, "\\u0041%41") == "\\u0041A"


@pytest.mark.parametrize("text", ["\\u00", "x\\", "%4", "\x1b[1", "\r", "\\u0041", "\u200b"])
def test_what_decodes_or_may_is_encoded(text: str) -> None:
    assert is_encoded(text)
    assert not is_encoded("what stands for itself, 日本語")


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("&#103;&#x68;&lowbar;", "gh_"),
        ("\\147\\U00000068\\u{5f}", "gh_"),
        ("gh\\\n    _", "gh_"),
        ("\uff47\uff48\uff3f \u0430\u0435 \U0001d400", "gh_ ae A"),
        ("g\x00h\u202e_\ufe0f", "gh_"),
        ("\x1b]8;;http://h\x07gh\x1b]8;;\x1b\\_\x9b1m", "gh_"),
        ("\\u{ffffff}&#9999999;", "\ufffd\ufffd"),
        ("R&D &nothing; &#; \\400", "R&D &nothing; &#; \\400"),
    ],
)
def test_what_a_reader_would_read(text: str, reads: str) -> None:
    assert shown(ESCAPES, text) == reads
