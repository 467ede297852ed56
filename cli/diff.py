"""``turnreel diff``: two cassettes side by side."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .reading import open_for_turns

if TYPE_CHECKING:
    from turnreel.cassettes import Cassette


@click.command(
    "diff",
    epilog="\b\nExamples:\n"
    "  turnreel diff good.cassette.jsonl bad.cassette.jsonl\n"
    "  turnreel diff good.cassette.jsonl bad.cassette.jsonl --turns",
)
@click.argument("left", type=click.Path(path_type=Path))
@click.argument("right", type=click.Path(path_type=Path))
@click.option("--turns", "only_turns", is_flag=True, help="Compare only the turns that come out.")
def command(left: Path, right: Path, only_turns: bool) -> int:
    """Compare two cassettes: what was said, and what came out.

    When it was said does not count. Exit 0 if both say the same, 1 if they differ.
    """
    from turnreel.cassettes.diff import diff, render_difference

    one, other = open_for_turns(left), open_for_turns(right)
    said = [] if only_turns else [render_difference(found) for found in diff(one, other)]
    came_out = list(
        difflib.unified_diff(_turns(one), _turns(other), str(left), str(right), lineterm="")
    )
    for line in [*said, *came_out]:
        click.echo(line)
    return 1 if said or came_out else 0


def _turns(cassette: Cassette) -> list[str]:
    from turnreel.cassettes.turnfile import render_turns
    from turnreel.lifecycle.fold import fold
    from turnreel.replayer import refeed

    return render_turns(fold(refeed.events(cassette))).splitlines()
