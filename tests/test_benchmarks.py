"""The benchmark runner: what a figure must keep, and what its table says."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks import figures
from benchmarks.figures import Figure, at_least, at_most

TOP = Path(__file__).parent.parent
runner = import_module("benchmarks.__main__")


@pytest.mark.parametrize(
    ("bound", "value", "verdict"),
    [
        (at_most(1.5, 1.2), 1.1, "stretch"),
        (at_most(1.5, 1.2), 1.5, "ok"),
        (at_most(1.5, 1.2), 1.6, "MISSED"),
        (at_least(0.8, 1.5), 1.6, "stretch"),
        (at_least(0.8, 1.5), 0.8, "ok"),
        (at_least(0.8, 1.5), 0.7, "MISSED"),
        (at_most(30), 1, "ok"),
    ],
)
def test_a_figure_is_held_to_its_bound(bound: figures.Bound, value: float, verdict: str) -> None:
    assert bound.verdict(value) == verdict


@pytest.mark.parametrize("bound", [at_most(2, 1), at_least(3), None])
def test_a_figure_survives_the_way_between_processes(bound: figures.Bound | None) -> None:
    figure = Figure("reading", 1.25, "x", bound, "orjson alone")
    assert runner.figure_of(json.loads(json.dumps(dataclasses.asdict(figure)))) == figure


def test_the_table_has_a_row_for_a_figure() -> None:
    figure = Figure("reading", 0.5, "x", at_least(0.8, 1.5), "orjson alone")
    assert runner.row("bench", figure) == (
        "bench", "reading", "0.5 x", "≥ 0.8", "≥ 1.5", "MISSED", "orjson alone",
    )  # fmt: skip
    assert len(runner.COLUMNS) == len(runner.row("bench", figure))


def test_every_benchmark_has_something_to_measure() -> None:
    names = [path.stem for path in (TOP / "benchmarks").glob("bench_*.py")]
    assert names
    assert all(callable(import_module(f"benchmarks.{name}").measure) for name in names)


def test_the_runner_runs_what_is_named() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--json", "help"],
        cwd=TOP,
        capture_output=True,
        text=True,
        check=False,
    )
    [figure] = json.loads(ran.stdout)
    assert figure["what"] == "turnreel --help"
    assert figure["value"] > 0
