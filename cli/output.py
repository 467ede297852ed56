"""What commands print: tables and documents on stdout, progress on stderr.

Colour and drawing are for terminals only; a pipe gets plain columns, a program asks for JSON.
rich is imported when something is drawn and not before; it respects NO_COLOR.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

STYLES: Final[Mapping[str, str]] = {
    "ok": "green", "completed": "green", "healthy": "green", "sealed": "green", "yes": "green",
    "recovered": "yellow", "blocked": "yellow", "interrupted": "yellow", "open": "yellow",
    "limited": "yellow", "failed": "bold red", "degraded": "red", "no": "red", "abandoned": "red",
    "differs": "bold red",
}  # fmt: skip
"""The colour of a cell that says exactly this, on a terminal."""


def as_json(command: Command) -> Command:
    """The ``--json`` option, the same for every command that prints a table."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")(
        command
    )


_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What a terminal would obey instead of showing. A cassette may come from anywhere."""


def document(value: object) -> None:
    """`value`, of JSON types, as one indented document."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def counted(number: int, what: str) -> str:
    """``1 cassette``, ``2 cassettes``."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Rows under headings: drawn on a terminal, columns two spaces apart otherwise."""
    rows = [[_CONTROLS.sub("\N{REPLACEMENT CHARACTER}", cell) for cell in row] for row in rows]
    if sys.stdout.isatty():
        _drawn(columns, rows)
    else:
        _plain(columns, rows)


def _drawn(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(*columns, box=box.SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        drawn.add_row(*(Text(cell, style=STYLES.get(cell, "")) for cell in row))
    Console().print(drawn)


def _plain(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    lines = [list(columns), *map(list, rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(columns))]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Inside, call the given function with (done, total). Draws on stderr if that is a terminal,
    and nothing otherwise.
    """
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        console=Console(stderr=True), transient=True,
    ) as bar:  # fmt: skip
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
