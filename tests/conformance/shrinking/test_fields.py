"""Fields and texts that can be taken away."""

from __future__ import annotations

import copy

from hypothesis import given
from hypothesis import strategies as st

from turnreel.conformance.shrinking.fields import (
    kind,
    paths,
    retold,
    texts,
    without,
    without_kinds,
)
from turnreel.wire.units import Json

VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)


@given(VALUES)
def test_taking_nothing_away_changes_nothing(value: Json) -> None:
    assert without(value, set()) == value
    assert without_kinds(value, set()) == value
    assert retold(value, {}) == value


@given(VALUES)
def test_one_field_goes_and_the_value_is_not_touched(value: Json) -> None:
    was = copy.deepcopy(value)
    every = list(paths(value))
    for path in every:
        less = without(value, {path})
        inside = [one for one in every if one[: len(path)] == path]
        assert len(list(paths(less))) == len(every) - len(inside)
    assert value == was


def test_a_kind_goes_in_every_element() -> None:
    value: Json = {"content": [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}], "id": 3}
    assert [kind(path) for path in paths(value)].count(("content", "[]", "id")) == 2
    less = without_kinds(value, {("content", "[]", "id")})
    assert less == {"content": [{"text": "a"}, {"text": "b"}], "id": 3}


def test_a_text_changes_wherever_it_stands() -> None:
    value: Json = {"said": ["abc", {"again": "abc"}], "abc": "other"}
    assert list(texts(value)) == ["abc", "abc", "other"]
    assert retold(value, {"abc": "a"}) == {"said": ["a", {"again": "a"}], "abc": "other"}
