"""``turnreel events``: the events of a cassette, for programs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .reading import open_for_turns

if TYPE_CHECKING:
    from turnreel.cassettes import Cassette
    from turnreel.lifecycle.events import AnyEvent


@click.command(
    "events",
    epilog="\b\nExamples:\n"
    "  turnreel events broken.cassette.jsonl\n"
    "  turnreel events broken.cassette.jsonl --after 8d1f0c2b9a7e4455.1:12\n"
    "  turnreel events broken.cassette.jsonl | jq -c 'select(.terminal)'",
)
@click.argument("cassette", type=click.Path(path_type=Path))
@click.option("--after", metavar="ID", help="Only what follows the event with this id (R4).")
def command(cassette: Path, after: str | None) -> None:
    """Print the events of every run as JSON lines.

    All runs, parents and children, in the order the events arise; each line is one event of turn/1.
    Exit 0 however the runs ended: `turnreel status` tells that.
    """
    from turnreel.lifecycle.cursor import UnknownCursor, rest
    from turnreel.lifecycle.events import encode_event
    from turnreel.wire.errors import TurnreelError

    opened = open_for_turns(cassette)
    stdout = sys.stdout.buffer
    try:
        for event in rest(_events(opened), after):
            stdout.write(encode_event(event) + b"\n")
    except UnknownCursor:
        raise TurnreelError(
            f"{cassette}: has no event {after!r}", "give the id of an event of this recording"
        ) from None
    stdout.flush()


def _events(opened: Cassette) -> Iterator[AnyEvent]:
    from turnreel.replayer import refeed

    translator = refeed.translator(opened.header)
    for arrival in refeed.arrivals(opened, opened.header.id):
        yield from translator.feed(arrival)
