"""Two cassettes compared."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cassettes.making import FIXTURES, OUTLINE, REPORT, clean
from turnreel.cassettes import Cassette, CassetteWriter, open_cassette
from turnreel.cassettes.diff import (
    Added,
    Changed,
    HeaderChanged,
    Removed,
    diff,
    render_difference,
)
from turnreel.sanitizers.records import Clean
from turnreel.wire import JsonUnit, LineFraming


def said(text: str, at_us: int = 0) -> Clean:
    return clean(at_us, JsonUnit({"type": "assistant", "text": text}, LineFraming()))


@dataclass
class Making:
    folder: Path

    def __call__(self, name: str, *cleans: Clean, **header: object) -> Cassette:
        with CassetteWriter(
            self.folder / name, msgspec.structs.replace(OUTLINE, **header)
        ) as writer:
            writer.write_all(cleans)
            writer.seal(REPORT)
        return open_cassette(self.folder / name)


@pytest.fixture
def make(tmp_path: Path) -> Making:
    return Making(tmp_path)


def test_times_and_reads_do_not_count(make: Making) -> None:
    left = make("a", said("one"), said("two", 5))
    right = make("b", said("one", 7_000), clean(9_000_000, said("two").body, reads=(4,)))
    assert diff(left, right) == []


def test_both_encodings_are_the_same() -> None:
    plain, packed = (open_cassette(FIXTURES / f"full.cassette.jsonl{end}") for end in ("", ".zst"))
    assert diff(plain, packed) == []


def test_what_was_added_removed_and_changed(make: Making) -> None:
    left = make("a", said("one"), said("two"), clean(0, {"code": 0}, "exit"))
    right = make("b", clean(0, {"name": "SIGINT"}, "signal"), said("one"), said("2"), tags=("x",))
    found = diff(left, right)
    assert [type(d) for d in found] == [HeaderChanged, Added, Changed, Removed]
    assert (
        "\n".join(map(render_difference, found))
        == """\
header tags: null -> ["x"]
+ #1 +0.000s agent signal name=SIGINT
- #2 +0.000s agent out assistant "two"
+ #3 +0.000s agent out assistant "2"
    .text: "two" -> "2"
- #3 +0.000s agent exit code=0"""
    )


def test_changed_paths_are_named(make: Making) -> None:
    one = {"type": "x", "list": [1, {"a": True}], "gone": 1}
    two = {"type": "x", "list": [1, {"a": 1}, 3], "new": None}
    left = make("a", clean(0, JsonUnit(one, LineFraming())))  # type: ignore[arg-type]
    right = make("b", clean(0, JsonUnit(two, LineFraming("\r\n"))))  # type: ignore[arg-type]
    (changed,) = diff(left, right)
    assert render_difference(changed).splitlines()[2:] == [
        "    .list[1].a: true -> 1",
        "    .list[2]: (absent) -> 3",
        "    .gone: 1 -> (absent)",
        "    .new: (absent) -> null",
        '    extra.end: (absent) -> "\\r\\n"',
    ]


@given(
    left=st.lists(st.sampled_from("abc"), max_size=12),
    right=st.lists(st.sampled_from("abc"), max_size=12),
)
def test_a_diff_accounts_for_every_record(
    left: list[str], right: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    make = Making(tmp_path_factory.mktemp("diff"))
    found = diff(make("a", *map(said, left)), make("b", *map(said, right)))
    gone = [d.left.number for d in found if isinstance(d, Removed | Changed)]
    come = [d.right.number for d in found if isinstance(d, Added | Changed)]
    assert gone == sorted(set(gone)) and come == sorted(set(come))
    kept_left = [text for n, text in enumerate(left, 1) if n not in gone]
    kept_right = [text for n, text in enumerate(right, 1) if n not in come]
    assert kept_left == kept_right
    assert (left == right) == (not found)
