"""Habits of the house that no linter knows."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
ROOMS = sorted(path.name for path in (TOP / "src" / "turnreel").iterdir() if path.is_symlink())
MODULES = sorted(
    path.relative_to(TOP)
    for room in ROOMS
    for path in (TOP / room).rglob("*.py")
    if "__pycache__" not in path.parts
)

LONGEST_MODULE = 320
LONGEST_TABLE = 400
TABLES = {"policy.py", "ruleset.py"}
"""Modules that are one table, which reads best in one piece."""
LONGEST_FUNCTION = 50
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "manager", "common", "misc", "base_utils"}
HEAVY = {"mitmproxy", "aiohttp", "pydantic", "rich", "zstandard", "ahocorasick_rs", "vcr", "yaml"}


@cache
def tree(module: Path) -> ast.Module:
    return ast.parse((TOP / module).read_text(encoding="utf-8"), str(module))


def functions(module: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def body_length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from the first statement after the docstring to the last."""
    body = function.body[1:] if ast.get_docstring(function) and function.body[1:] else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_a_module_can_be_read_in_one_sitting(module: Path) -> None:
    limit = LONGEST_TABLE if module.name in TABLES else LONGEST_MODULE
    assert len((TOP / module).read_text(encoding="utf-8").splitlines()) <= limit


def test_a_function_fits_a_screen() -> None:
    long = [
        f"{module}:{function.lineno} {function.name} {body_length(function)}"
        for module in MODULES
        for function in functions(module)
        if body_length(function) > LONGEST_FUNCTION
    ]
    assert long == []


def test_a_module_is_named_for_what_it_owns() -> None:
    assert [str(module) for module in MODULES if module.stem in EMPTY_NAMES] == []


def test_every_module_says_what_it_is() -> None:
    assert [str(module) for module in MODULES if not ast.get_docstring(tree(module))] == []


def test_nothing_public_hides_behind_a_star() -> None:
    stars = [
        f"{module}:{node.lineno}"
        for module in MODULES
        for node in ast.walk(tree(module))
        if isinstance(node, ast.ImportFrom) and any(name.name == "*" for name in node.names)
    ]
    assert stars == []


def test_imports_are_relative_inside_a_room_and_absolute_across() -> None:
    own = [
        f"{module}:{node.lineno} {node.module}"
        for module in MODULES
        for node in ast.walk(tree(module))
        if isinstance(node, ast.ImportFrom)
        and node.level == 0
        and node.module
        and node.module.startswith(f"turnreel.{'.'.join(module.parent.parts)}.")
    ]
    assert own == []


def takes_the_pass(node: ast.AST) -> bool:
    match node:
        case ast.ImportFrom(names=names):
            return any(name.name in {"PASS", "_Pass"} for name in names)
        case ast.Attribute(attr=name):
            return name in {"PASS", "_Pass"}
        case _:
            return False


def test_only_the_sanitizers_can_make_clean_records() -> None:
    takers = [
        str(module)
        for module in MODULES
        if module.parts[0] != "sanitizers" and any(map(takes_the_pass, ast.walk(tree(module))))
    ]
    assert takers == []


@pytest.mark.parametrize("room", ROOMS)
def test_importing_a_room_loads_nothing_heavy(room: str) -> None:
    """Whoever translates does not pay for the recorder, nor the help text for anything."""
    program = f"import sys, turnreel.{room}; print(*{{m.partition('.')[0] for m in sys.modules}})"
    loaded = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout.split()
    assert HEAVY.intersection(loaded) == set()
