"""Pieces of a text: any number of them, held against the whole (R2)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnreel.adapters.hermes.pieces import NONE, Pieces

TEXTS = st.lists(st.text("ab \n", min_size=1, max_size=3), max_size=300)


def pieces(texts: list[str]) -> Pieces:
    found = NONE
    for text in texts:
        found = found.plus(text)
    return found


@given(TEXTS)
def test_they_are_what_came(texts: list[str]) -> None:
    found = pieces(texts)
    assert (list(found), found.text, bool(found)) == (texts, "".join(texts), bool(texts))
    assert found == pieces(texts)


@given(TEXTS)
def test_they_add_up_to_what_they_are(texts: list[str]) -> None:
    assert pieces(texts).add_up_to("".join(texts))


@given(st.lists(st.integers(0, 9).map(lambda n: f"{n} tok "), min_size=1, max_size=9), st.data())
def test_one_told_twice_counts_once(texts: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(texts) - 1))
    assert pieces([*texts[: place + 1], *texts[place:]]).add_up_to("".join(texts))


def test_another_text_is_another() -> None:
    assert not pieces(["One", " and"]).add_up_to("One and a half")
    assert not pieces(["One", " and"]).add_up_to("Two")
    assert not pieces(["One", " and"]).add_up_to("One")
