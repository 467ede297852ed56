"""The top folders, the links in src/turnreel, the wheel's map and the layers are one list."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import turnreel

TOP = Path(__file__).parent.parent
LINKS = TOP / "src" / "turnreel"
NOT_ROOMS = {"tests", "docs", "benchmarks", "src", "build", "dist"}


def settings() -> dict[str, Any]:
    return tomllib.loads((TOP / "pyproject.toml").read_text())


def rooms() -> set[str]:
    """The folders at the top that hold a package."""
    return {
        path.parent.name for path in TOP.glob("*/__init__.py") if path.parent.name not in NOT_ROOMS
    }


def test_every_room_has_one_relative_link() -> None:
    links = {path.name: path.readlink() for path in LINKS.iterdir() if path.is_symlink()}
    assert set(links) == rooms()
    assert all(target == Path("..", "..", name) for name, target in links.items())


def test_src_holds_nothing_but_the_import_name() -> None:
    files = {path.name for path in LINKS.iterdir() if not path.is_symlink()} - {"__pycache__"}
    assert files == {"__init__.py", "__main__.py", "py.typed"}


def test_the_wheel_maps_every_room() -> None:
    build = settings()["tool"]["hatch"]["build"]["targets"]
    sources = build["wheel"]["sources"]
    assert sources == {"src": "", **{room: f"turnreel/{room}" for room in rooms()}}
    assert set(build["wheel"]["only-include"]) == {"src", *rooms()}
    assert {"src", "tests", "docs", "benchmarks", *rooms()} <= set(build["sdist"]["only-include"])


def test_no_target_drops_what_every_target_leaves_out() -> None:
    """A target's own list replaces the common one; with the links in it no wheel can be built."""
    build = settings()["tool"]["hatch"]["build"]
    lists = [target["exclude"] for target in build["targets"].values() if "exclude" in target]
    assert all(set(build["exclude"]) <= set(own) for own in lists)


def test_what_the_sdist_lists_exists() -> None:
    listed = settings()["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]
    assert [name for name in listed if not (TOP / name).exists()] == []


def test_every_room_has_its_layer() -> None:
    layers = settings()["tool"]["importlinter"]["contracts"][0]["layers"]
    named = {name.strip() for layer in layers for name in layer.split("|")}
    assert named == {f"turnreel.{room}" for room in rooms()}


def test_every_room_says_what_it_is_for_and_what_it_may_never_hold() -> None:
    said = {
        room: ast.get_docstring(ast.parse((TOP / room / "__init__.py").read_text())) or ""
        for room in rooms()
    }
    limits = re.compile(r"\b(never|nothing|no|not)\b", re.IGNORECASE)
    assert [room for room in sorted(said) if not limits.search(said[room])] == []


@pytest.mark.parametrize("dependency", settings()["project"]["dependencies"])
def test_every_dependency_is_justified(dependency: str) -> None:
    name = dependency.split(">=")[0]
    assert f"**{name}**" in (TOP / "docs" / "dependencies.md").read_text()


def test_the_version_has_its_section_in_the_changelog() -> None:
    assert f"## {turnreel.__version__}" in (TOP / "CHANGELOG.md").read_text()
