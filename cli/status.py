"""``turnreel status``: how the runs of a cassette ended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .output import as_json, document, table
from .reading import open_for_turns

if TYPE_CHECKING:
    from turnreel.lifecycle.fold import RunView

COLUMNS = ("run", "state", "health", "code", "children", "text")
LONGEST_TEXT = 60


@click.command(
    "status",
    epilog="\b\nExamples:\n"
    "  turnreel status broken.cassette.jsonl\n"
    "  turnreel status broken.cassette.jsonl --json\n"
    "  turnreel status broken.cassette.jsonl && echo completed",
)
@click.argument("cassette", type=click.Path(path_type=Path))
@as_json
def command(cassette: Path, as_json: bool) -> int:
    """Say how a cassette's runs ended, and exit accordingly.

    Exit 0 completed, 1 failed, 3 incomplete, abandoned or still open, 75 waiting for a person,
    130 interrupted; 2 is a mistake of the caller. Of several runs the last one of the main thread
    decides; a cassette without any run counts as incomplete.
    """
    from turnreel.lifecycle.fold import fold
    from turnreel.lifecycle.status import exit_status
    from turnreel.replayer import refeed

    runs = fold(refeed.events(open_for_turns(cassette)))
    if as_json:
        import msgspec

        document(msgspec.to_builtins(runs))
    else:
        table(COLUMNS, [row for run in runs for row in _rows(run, 0)])
        if not runs:
            click.echo("no run: nothing in it is an agent's turn")
    return exit_status(runs[-1].terminal if runs else None)


def _rows(run: RunView, depth: int) -> Iterator[tuple[str, ...]]:
    """The run and, indented beneath it, its children."""
    told = run.terminal
    children = ", ".join(f"{count} {outcome}" for outcome, count in run.children_outcomes.items())
    yield (
        "  " * depth + run.run_id,
        told.outcome if told else "open",
        run.health,
        (told.code if told else None) or "-",
        children or "-",
        shortened(told.text) if told else "",
    )
    for child in run.children:
        yield from _rows(child, depth + 1)


def shortened(text: str) -> str:
    """The beginning of `text` as one line of a table."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_TEXT else line[: LONGEST_TEXT - 1] + "…"
