"""Run the benchmarks, each in a process of its own, and print one table.

usage: python -m benchmarks [--json] [NAME…]     NAME selects benchmarks whose name contains it
"""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from turnreel.cli.output import document, table

from .figures import Bound, Figure

HERE = Path(__file__).parent
COLUMNS = ("benchmark", "what", "figure", "must", "stretch", "verdict", "against")


def main(arguments: Sequence[str]) -> int:
    """Returns 1 if a figure missed its bound or a benchmark failed, else 0."""
    if arguments[:1] == ["--measure"]:
        return measure_here(arguments[1])
    names = [word for word in arguments if not word.startswith("-")]
    rows, failed = [], []
    for module in sorted(path.stem for path in HERE.glob("bench_*.py")):
        if names and not any(name in module for name in names):
            continue
        figures = list(measured(module))
        if not figures:
            failed.append(module)
        rows += [(module.removeprefix("bench_"), figure) for figure in figures]
    if "--json" in arguments:
        document([{"benchmark": name, **dataclasses.asdict(figure)} for name, figure in rows])
    else:
        table(COLUMNS, [row(name, figure) for name, figure in rows])
    for module in failed:
        print(f"benchmarks: {module} failed", file=sys.stderr)
    missed = [figure for _, figure in rows if verdict(figure) == "MISSED"]
    return 1 if failed or missed else 0


def measure_here(module: str) -> int:
    """In the benchmark's own process: its figures, one JSON object a line."""
    for figure in import_module(f".{module}", __package__).measure():
        print(json.dumps(dataclasses.asdict(figure)), flush=True)
    return 0


def measured(module: str) -> Iterator[Figure]:
    """The figures of one benchmark; none if it failed, whose words stand on stderr."""
    started = time.perf_counter()
    child = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--measure", module],
        cwd=HERE.parent, stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    print(f"{module}: {time.perf_counter() - started:.1f} s", file=sys.stderr)
    if child.returncode:
        return
    for line in child.stdout.splitlines():
        if line.startswith("{"):
            yield figure_of(json.loads(line))


def figure_of(fields: dict[str, Any]) -> Figure:
    """The figure that `dataclasses.asdict` took apart."""
    bound = fields.pop("bound")
    return Figure(**fields, bound=Bound(**bound) if bound else None)


def verdict(figure: Figure) -> str:
    """How the figure stands against its bound; ``-`` without one."""
    return figure.bound.verdict(figure.value) if figure.bound else "-"


def row(name: str, figure: Figure) -> tuple[str, ...]:
    """The figure as a row of `COLUMNS`."""
    bound = figure.bound
    sign = {"at most": "≤", "at least": "≥"}[bound.side] if bound else ""
    must = f"{sign} {bound.must:g}" if bound else ""
    stretch = f"{sign} {bound.stretch:g}" if bound and bound.stretch is not None else ""
    value = f"{figure.value:.3g} {figure.unit}"
    return (name, figure.what, value, must, stretch, verdict(figure), figure.note)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
