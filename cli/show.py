"""``turnreel show``: a cassette for people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from turnreel.cassettes import Header

PARTS = ("all", "records", "turns")


@click.command(
    "show",
    epilog="\b\nExamples:\n"
    "  turnreel show broken.cassette.jsonl\n"
    "  turnreel show broken.cassette.jsonl --part turns\n"
    "  turnreel show broken.cassette.jsonl --from 200 --width 200",
)
@click.argument("cassette", type=click.Path(path_type=Path))
@click.option("--part", type=click.Choice(PARTS), default="all", show_default=True)
@click.option("--from", "first", type=click.IntRange(1), default=1, help="The first record shown.")
@click.option("--width", type=click.IntRange(20), default=120, show_default=True)
def command(cassette: Path, part: str, first: int, width: int) -> None:
    """Print a cassette's records and the turns that come out.

    One line a record: its number (the one that evidence names), time, track, code and what it is.
    Beneath them the turns, in the form of a .turn file.
    """
    from turnreel.cassettes import open_cassette
    from turnreel.cassettes.index import records_from
    from turnreel.cassettes.render import render
    from turnreel.cassettes.turnfile import render_turns
    from turnreel.lifecycle.fold import fold
    from turnreel.replayer import refeed

    opened = open_cassette(cassette)
    if part == "all":
        click.echo(heading(opened.header))
    if part != "turns":
        for record in records_from(opened, first):
            click.echo(render(record, width))
    if part == "all":
        click.echo()
    if part != "records":
        click.echo(render_turns(fold(refeed.events(opened))), nl=False)


def heading(header: Header) -> str:
    """What was recorded, in one line."""
    agent = " ".join(filter(None, (header.agent.name, header.agent.version)))
    tracks = ", ".join(f"{track.id} {track.dialect}" for track in header.tracks)
    lacks = f"; lacks {', '.join(header.lacks)}" if header.lacks else ""
    return f"{header.id}: {agent}, {header.profile}, {header.origin.kind}; {tracks}{lacks}"
