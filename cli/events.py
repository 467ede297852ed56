"""``turnreel events``: the events of a cassette, for programs."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from .reading import open_for_turns


@click.command(
    "events",
    epilog="\b\nExamples:\n"
    "  turnreel events broken.cassette.jsonl\n"
    "  turnreel events broken.cassette.jsonl | jq -c 'select(.terminal)'",
)
@click.argument("cassette", type=click.Path(path_type=Path))
def command(cassette: Path) -> None:
    """Print the events of every run as JSON lines.

    All runs, parents and children, in the order the events arise; each line is one event of turn/1.
    Exit 0 however the runs ended: `turnreel status` tells that.
    """
    from turnreel.lifecycle.events import encode_event
    from turnreel.replayer import refeed

    opened = open_for_turns(cassette)
    translator = refeed.translator(opened.header)
    stdout = sys.stdout.buffer
    for arrival in refeed.arrivals(opened, opened.header.id):
        for event in translator.feed(arrival):
            stdout.write(encode_event(event) + b"\n")
    stdout.flush()
