"""Secrets that stand encoded in a text: found in every view, as the same value, in any pieces."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise

import pytest
from hypothesis import example, given

from turnreel.sanitizers.known import KnownSecrets
from turnreel.sanitizers.matches import Span
from turnreel.sanitizers.placeholders import Placeholders
from turnreel.sanitizers.report import Tally
from turnreel.sanitizers.scanner import Scanner
from turnreel.sanitizers.scrub import Scrubber
from turnreel.sanitizers.sources import Sources
from turnreel.sanitizers.views import Reading

from .conftest import ENCODINGS, encoded_texts, split

SCANNER = Scanner()
KEY = "sk-ant-api03-aB3dE5fG7hJ9kL1mN2pQ"


def scrubber() -> Scrubber:
    return Scrubber(SCANNER, Placeholders(), Tally(), "fixture", Sources())


def read(pieces: list[str], every: int = 97) -> list[Span]:
    """The spans of a text that grows by `pieces`, decided whenever `every` characters came."""
    reading, spans, came = Reading(SCANNER), [], 0
    for piece in pieces:
        reading.feed(piece)
        came += len(piece)
        if came >= every:
            spans += reading.decide("open")[0]
            came = 0
    return spans + reading.decide("cut")[0]


@pytest.mark.parametrize("end", ["", "%", "%3", "\\", "\\u00", "&#4", "\x1b[3"])
def test_a_secret_cut_in_the_middle_of_an_escape_is_found(end: str) -> None:
    (span,) = read([f"see %41%4B\\u0049AZOFPJNMM5XQ{end}"])
    assert span.value == "AKIAZOFPJNMM5XQ"


@given(split(encoded_texts))
@example(["\\", "u0073k-ant-api03-aB3dE5fG7hJ9kL1mN2pQ"])
@example(["x\r", "\n", "\r"])
def test_a_growing_text_shows_what_the_whole_does(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert read(pieces, 1) == read([text]) == read(list(text), 7)


@given(split(encoded_texts.map(lambda text: "lorem ipsum, " * 60 + text + " dolor\\n" * 90)))
def test_and_so_does_a_long_one(pieces: list[str]) -> None:
    assert read(pieces) == read(["".join(pieces)])


@given(encoded_texts)
@example("\\u" + ENCODINGS["entities"](KEY) + KEY)
@example(
    "".join(
        f"\\\\u{ord(c):04x}" for c in '"opsgenieApiKey": "c7a98488-b53c-4d6e-89e7-83f9dfb55a2c"'
    )
)  # what was left of its quotes was taken for a Windows share
def test_scrubbing_twice_changes_nothing(text: str) -> None:
    once = scrubber().scrub(text)
    assert scrubber().scrub(once) == once


@given(encoded_texts)
def test_spans_are_apart_and_hold_their_value(text: str) -> None:
    spans = read([text])
    assert all(span.value for span in spans)
    for before, after in pairwise(spans):
        assert before.end <= after.start


@pytest.mark.parametrize("ways", [(way,) for way in ENCODINGS] + [
    ("escaped-all", "escaped"), ("slashes", "escaped", "escaped"), ("percent-all", "escaped-all"),
    ("dashes", "percent"), ("percent", "percent", "percent"), ("coloured", "escaped"),
], ids="+".join)  # fmt: skip
def test_a_secret_has_one_placeholder_in_every_view(ways: tuple[str, ...]) -> None:
    told = reduce(lambda text, way: ENCODINGS[way](text), ways, KEY)
    treat = scrubber()
    assert treat.scrub(f"{KEY} and {told} so") in (
        "key-1 and key-1 so", "key-1 and key-1\x1b[0m so", "key-1 and key-1\\u001b[0m so"
    )  # fmt: skip
    assert treat.scrub(told).startswith("key-1")


def test_what_is_encoded_too_deep_is_masked() -> None:
    told = KEY
    for _ in range(5):
        told = told.replace("%", "%25").replace("-", "%2D")
    clean = scrubber().scrub(f"see {told} there")
    assert "aB3" not in clean and "ant" not in clean and clean.endswith(" there")


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("C:\\new\\table", "C:\\new\\table"),
        ("C:\\Users\\nate\\x", "C:\\Users\\user-1\\x"),
        ("100% of 20%", "100% of 20%"),
        ("mail\\njane@example.com\\n", "mail\\nmail-1\\n"),
        ("API_KEY=abcd1234efgh\\nDEBUG=1", "API_KEY=key-1\\nDEBUG=1"),
        ('{\\"token\\": \\"aB3-5678-xyz\\"}', '{\\"token\\": \\"key-1\\"}'),
    ],
)
def test_what_decodes_only_seemingly(text: str, clean: str) -> None:
    assert scrubber().scrub(text) == clean


def test_a_known_value_is_found_half_escaped() -> None:
    scanner = Scanner(known=KnownSecrets(secrets=("swordfish99",)).literals())
    assert [s.value for s in scanner.spans("sword\\u0066ish%39\\x39")] == ["swordfish99"]
