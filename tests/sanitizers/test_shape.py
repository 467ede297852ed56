"""Shape: form without content."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnreel.lifecycle.prompts import program
from turnreel.sanitizers.shape import filler, shape
from turnreel.sanitizers.sources import REMEMBERED, Sources

anything = st.text(st.characters())


@given(anything)
def test_no_letter_and_no_digit_survives(text: str) -> None:
    shaped = shape(text)
    assert len(shaped) == len(text)
    assert all(not c.isalnum() or c in "xX0" for c in shaped)
    assert shape(shaped) == shaped


@given(anything)
def test_space_and_markdown_stay(text: str) -> None:
    for before, after in zip(text, shape(text), strict=True):
        if before in "|#*`-_[]() \n\t.,:;'\"":
            assert after == before


@given(anything)
def test_filler_keeps_the_length_alone(text: str) -> None:
    assert filler(text) == "x" * len(text)


@given(st.lists(st.text("ab 1.", max_size=6), max_size=20))
def test_texts_of_one_shape_are_told_apart(texts: list[str]) -> None:
    sources = Sources()
    landed = [sources.shape(text) for text in texts]
    assert len({text.strip() for text in landed}) == len({text.strip() for text in texts})
    again = Sources()
    assert [again.shape(text) for text in landed] == landed


def test_a_joined_text_is_found_again() -> None:
    sources = Sources()
    first, second, third = map(sources.shape, ("Para one.", "Para two. ", "Para six."))
    assert sources.find("Para one.Para two. Para six.") == first + second + third
    assert sources.find("Never met.") == "Never met."


def test_a_program_is_named_without_its_folder() -> None:
    assert program("git push") == "git"
    assert program("  FOO=1 BAR='x' /usr/bin/git -C /home/jane push") == "git"
    assert program("for i in $(seq 3); do") == "for"
    assert program('"my tool" x') == ""


def test_what_is_remembered_of_texts_is_bounded() -> None:
    """The last texts are told apart and found again; the first ones are forgotten."""
    sources = Sources()
    landed = [sources.shape(f"text {number:05d}") for number in range(5 * REMEMBERED)]
    assert len(set(landed[-REMEMBERED:])) == REMEMBERED
    assert sources.find(f"text {5 * REMEMBERED - 1}") == landed[-1]
    assert sources.find("text 00000") == "text 00000"
