"""A cassette whose turns a command is to tell."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from turnreel.cassettes import Cassette


def open_for_turns(path: Path) -> Cassette:
    """The cassette at `path`. One line on stderr for each agent whose dialect nobody here can
    translate: its runs do not come out, and silence would say that there are none.

    Raises `CassetteError` as `open_cassette` does.
    """
    from turnreel.adapters import registry
    from turnreel.cassettes import open_cassette

    cassette = open_cassette(path)
    for track in cassette.header.tracks:
        if track.carrier != "stdio" or track.dialect in registry.dialects():
            continue
        from turnreel.recorder.agents import NO_DIALECT

        if track.dialect != NO_DIALECT:
            click.echo(
                f"turnreel: {path}: no adapter here translates {track.dialect!r}, the dialect of "
                f"track {track.id} (see turnreel adapters)",
                err=True,
            )
    return cassette
