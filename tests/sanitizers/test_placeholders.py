"""Placeholders: one for a value, of the same form, stable when given back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnreel.sanitizers.placeholders import (
    MARKER,
    REMEMBERED_SERIALS,
    Placeholders,
    is_own_id,
)

ids = st.one_of(
    st.uuids().map(str),
    st.sampled_from(["toolu_", "msg_", "req_", "call_", ""]).flatmap(
        lambda prefix: st.text("aB3-_.é", min_size=1, max_size=20).map(lambda s: prefix + s)
    ),
    st.integers(0, 10**12).map(str),
)


@given(st.lists(ids, max_size=40))
def test_ids_are_told_apart_and_given_back_as_they_are(values: list[str]) -> None:
    first = Placeholders()
    given_once = [first.id(value) for value in values]
    assert len(set(given_once)) == len(set(values))
    second = Placeholders()
    assert [second.id(value) for value in given_once] == given_once


@pytest.mark.parametrize(
    ("value", "placeholder"),
    [
        ("toolu_01AbCdEf", "toolu_00000001"),
        ("msg_x", "msg_1"),
        ("3a5b5bb9-9aaf-45b8-98ad-a969bacbb37e", "00000000-0000-4000-8000-000000000001"),
        ("ad45e67b6a08b9226", "00000000000000001"),
        ("i1", "01"),
    ],
)
def test_an_id_keeps_prefix_form_and_length(value: str, placeholder: str) -> None:
    assert Placeholders().id(value) == placeholder
    assert is_own_id(placeholder)


def test_numbers_count_by_kind_in_order_of_appearance() -> None:
    map_ = Placeholders()
    assert [map_.of("key", "a"), map_.of("user", "b"), map_.of("key", "c")] == [
        "key-1",
        "user-1",
        "key-2",
    ]
    assert map_.of("value", "a") == "key-1"  # one value, one placeholder, whatever finds it


def test_what_is_a_placeholder_stays_itself() -> None:
    map_ = Placeholders()
    assert map_.of("path", "path-3") == "path-3"
    assert map_.of("path", "/x") != "path-3"


def test_a_long_number_is_no_placeholder_of_ours() -> None:
    assert Placeholders().id("123456789012") == "000000000001"
    assert not MARKER.fullmatch("key-0")


@pytest.mark.parametrize(
    ("first", "second", "moved"),
    [
        ("2026-11-30T10:38:04.738Z", "2026-11-30T10:38:05.000Z", "2000-01-01T00:00:00.262Z"),
        ("2026-11-30T10:38:04Z", "2026-11-30T11:38:04+01:00", "2000-01-01T00:00:00+00:00"),
    ],
)
def test_dates_keep_their_distance(first: str, second: str, moved: str) -> None:
    map_ = Placeholders()
    assert (map_.when(first) or "").startswith("2000-01-01T00:00:00")
    assert map_.when(second) == moved
    again = Placeholders()
    assert [again.when(text) for text in (map_.when(first) or "", moved)] == [
        map_.when(first),
        moved,
    ]


def test_epochs_move_with_the_dates() -> None:
    map_ = Placeholders()
    map_.when("2026-11-30T10:38:04.000Z")
    assert map_.epoch(1796035085) == 946684801
    assert map_.epoch(1796035085500) == 946684801500
    assert map_.epoch(17) == 0
    assert map_.when("yesterday") is None


def test_serials_are_remembered_for_a_while_and_ids_for_good() -> None:
    map_ = Placeholders()
    kept, passing = map_.serial("id-kept"), map_.serial("id-passing")
    assert map_.id("id-kept") == kept
    for number in range(2 * REMEMBERED_SERIALS + 2):
        map_.serial(f"frame-{number}")
    assert map_.serial("id-kept") == kept
    assert map_.serial("id-passing") != passing
    assert len(map_._given) == 1


def test_a_serial_met_again_soon_is_the_same() -> None:
    map_ = Placeholders()
    first = map_.serial("frame-first")
    for number in range(REMEMBERED_SERIALS - 1):
        map_.serial(f"frame-{number}")
    assert map_.serial("frame-first") == first
