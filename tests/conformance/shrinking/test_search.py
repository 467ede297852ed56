"""Less of a list that is still enough."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from turnreel.conformance.shrinking.search import fewest


@given(st.sets(st.integers(0, 60)))
def test_exactly_what_is_needed_is_left(needed: set[int]) -> None:
    asked: list[list[int]] = []

    def is_enough(kept: Sequence[int]) -> bool:
        asked.append(list(kept))
        return needed <= set(kept)

    assert fewest(range(61), is_enough) == sorted(needed)
    assert all(len(kept) < 61 and kept == sorted(kept) for kept in asked)


@given(st.lists(st.integers(0, 9), max_size=30), st.integers(0, 40))
def test_no_single_item_of_the_result_can_go(items: list[int], least: int) -> None:
    def is_enough(kept: Sequence[int]) -> bool:
        return sum(kept) >= min(least, sum(items))

    left = fewest(items, is_enough)
    assert is_enough(left)
    assert not any(is_enough(left[:place] + left[place + 1 :]) for place in range(len(left)))
