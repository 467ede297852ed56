"""The scenarios that come with turnreel are files, whole, in one order, read when asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from turnreel.conformance.errors import ConformanceError
from turnreel.conformance.scenarios import builtin, founding, required
from turnreel.conformance.scenarios.written import read_scenario


def test_what_has_a_place_in_the_order_is_what_is_there() -> None:
    order = builtin.order()
    listed = [*order.required, *order.founding]
    assert len(listed) == len(set(listed))
    there = {path.stem for path in builtin.LIBRARY.glob("*.toml")} - {"order"}
    assert there == set(listed)
    assert {name for names in order.founded.values() for name in names} == set(order.founding)


@pytest.mark.parametrize("name", [*builtin.order().required, *builtin.order().founding])
def test_a_file_says_all_and_is_read_as_anybodys_own(name: str) -> None:
    path = builtin.place(name)
    head = path.read_text("utf-8").split("\n[[script]]", 1)[0]
    for key in ("id", "requirement", "clauses", "tier", "turn"):
        assert head.count(f"\n{key} = ") + head.startswith(f"{key} = ") == 1, key
    scenario = read_scenario(path)
    assert scenario == builtin.built_in(name)
    assert scenario.views
    assert scenario.requirement.endswith(".")
    assert "\n" not in scenario.requirement


def test_they_stand_in_their_order() -> None:
    assert tuple(one.id for one in required()) == builtin.order().required
    assert tuple(one.id for one in founding()) == builtin.order().founding


def test_nothing_is_read_before_it_is_asked_for() -> None:
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; opened = []\n"
            "sys.addaudithook(lambda e, a: opened.append(str(a[0])) if e == 'open' else None)\n"
            "from turnreel.conformance.scenarios import built_in\n"
            "print(sum(one.endswith('.toml') for one in opened))\n"
            "built_in('retried')\n"
            "print(*sorted(one for one in opened if one.endswith('.toml')))",
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    none, some = told.stdout.splitlines()
    assert none == "0"
    assert [Path(one).name for one in some.split()] == ["order.toml", "retried.toml"]


def test_what_nobody_knows_is_named_with_what_is_known() -> None:
    with pytest.raises(ConformanceError, match=r"no scenario is called \.\./order \(one of: sev"):
        builtin.built_in("../order")
