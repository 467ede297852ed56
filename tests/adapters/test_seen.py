"""What was met is known, what comes later is not known to a branch, and memory ends somewhere."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnreel.adapters.seen import Key, Seen


def key(name: str) -> Key:
    return ("agent", "out", name)


@given(st.lists(st.sampled_from("abcdefgh"), max_size=40))
def test_what_was_met_is_known(names: list[str]) -> None:
    seen = Seen()
    met: set[str] = set()
    for number, name in enumerate(names):
        assert seen.again(key(name), number) == (name in met)
        met.add(name)


def test_a_branch_knows_the_past_it_shares_and_nothing_later() -> None:
    seen = Seen()
    assert not seen.again(key("a"), 1)
    branch = seen.branch(1)
    assert not seen.again(key("b"), 2)
    assert not branch.again(key("b"), 2)
    assert branch.again(key("a"), 3)
    twig = branch.branch(3)
    assert twig.again(key("a"), 4) and twig.again(key("b"), 4)
    early = branch.branch(1)
    assert early.again(key("a"), 2) and not early.again(key("b"), 2)


def test_only_so_many_are_remembered() -> None:
    limit = 10
    seen = Seen(limit)
    for number in range(10 * limit):
        assert not seen.again(key(str(number)), number)
    last = 10 * limit - 1
    assert all(seen.again(key(str(last - back)), last) for back in range(limit))
    assert not seen.again(key(str(last - 2 * limit)), last)


def test_the_past_of_a_branch_outlives_what_its_origin_forgets() -> None:
    seen = Seen(2)
    seen.again(key("a"), 1)
    branch = seen.branch(1)
    for number in range(2, 20):
        seen.again(key(str(number)), number)
    assert branch.again(key("a"), 20)
    assert not seen.again(key("a"), 20)
