"""Rounded times."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnreel.cassettes import Timing
from turnreel.cassettes.timing import normalized

gaps = st.integers(0, 10**13)


@pytest.mark.parametrize(
    ("us", "rounded"),
    [(0, 0), (499, 0), (500, 1_000), (1_400, 1_000), (1_600, 2_000), (4_700, 5_000),
     (8_000, 10_000), (312_000, 200_000), (3_600_000_000, 5_000_000_000)],
)  # fmt: skip
def test_rounded(us: int, rounded: int) -> None:
    assert normalized(us) == rounded


@given(us=gaps)
def test_rounding_twice_changes_nothing(us: int) -> None:
    assert normalized(normalized(us)) == normalized(us)


@given(one=gaps, two=gaps)
def test_a_longer_gap_never_becomes_the_shorter_one(one: int, two: int) -> None:
    assert one > two or normalized(one) <= normalized(two)


@given(us=gaps)
def test_exact_is_exact(us: int) -> None:
    assert Timing.EXACT.of(us) == us
    assert Timing.NORMALIZED.of(us) == normalized(us)
