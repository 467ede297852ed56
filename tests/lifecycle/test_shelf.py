"""A shelf is a dictionary by value, and what it was stays what it was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnreel.lifecycle.shelf import BOXES, Shelf

names = st.text(max_size=3) | st.just("\ud800")


@given(st.lists(st.tuples(names, st.none() | st.integers())))
def test_a_shelf_holds_what_was_put_there(moves: list[tuple[str, int | None]]) -> None:
    shelf: Shelf[int] = Shelf()
    expected: dict[str, int] = {}
    for name, value in moves:
        before, held = shelf, sorted(expected.values())
        if value is None:
            shelf = shelf.take(name)
            expected.pop(name, None)
        else:
            shelf = shelf.put(name, value)
            expected[name] = value
        assert sorted(before.values()) == held
    assert sorted(shelf.values()) == sorted(expected.values())
    assert all(shelf.get(name) == expected.get(name) for name, _ in moves)


@given(st.permutations(range(20)))
def test_equal_things_make_equal_shelves(order: list[int]) -> None:
    one: Shelf[int] = Shelf()
    other: Shelf[int] = Shelf()
    for number in range(20):
        one = one.put(str(number), number)
    for number in order:
        other = other.put(str(number), number)
    assert one == other != one.take("7")
    assert one.take("no such name") is one


def test_putting_copies_one_part() -> None:
    full: Shelf[int] = Shelf()
    for number in range(1000):
        full = full.put(str(number), number)
    more = full.put("one more", 0)
    assert sum(a is not b for a, b in zip(full.boxes, more.boxes, strict=True)) == 1
    assert len(more.boxes) == BOXES
