"""``turnreel show``: a cassette for people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .output import table
from .reading import open_for_turns

if TYPE_CHECKING:
    from turnreel.cassettes import Cassette, Header

PARTS = ("all", "records", "turns")


@click.command(
    "show",
    epilog="\b\nExamples:\n"
    "  turnreel show broken.cassette.jsonl\n"
    "  turnreel show broken.cassette.jsonl --part turns\n"
    "  turnreel show broken.cassette.jsonl --report\n"
    "  turnreel show broken.cassette.jsonl --from 200 --width 200",
)
@click.argument("cassette", type=click.Path(path_type=Path))
@click.option("--part", type=click.Choice(PARTS), default="all", show_default=True)
@click.option("--from", "first", type=click.IntRange(1), default=1, help="The first record shown.")
@click.option("--report", "is_report", is_flag=True, help="Say what sanitizing it replaced.")
@click.option("--width", type=click.IntRange(20), default=120, show_default=True)
def command(cassette: Path, part: str, first: int, is_report: bool, width: int) -> int:
    """Print a cassette's records and the turns that come out.

    One line a record: its number (the one that evidence names), time, track, code and what it is.
    Beneath them the turns, in the form of a .turn file, and what was dropped on the way because it
    changed nothing. With --report, what sanitizing replaced by
    rule, and the fields that no policy lists.
    """
    from turnreel.cassettes.index import records_from
    from turnreel.cassettes.render import render
    from turnreel.cassettes.turnfile import render_turns
    from turnreel.lifecycle.fold import fold
    from turnreel.replayer import refeed

    opened = open_for_turns(cassette)
    if is_report:
        return _report(opened)
    if part == "all":
        click.echo(heading(opened.header))
    if part != "turns":
        for record in records_from(opened, first):
            click.echo(render(record, width))
    if part == "all":
        click.echo()
    if part != "records":
        events, dropped = refeed.played(opened)
        click.echo(render_turns(fold(events)), nl=False)
        if part == "all" and dropped:
            told = ", ".join(f"{what} ({count})" for what, count in sorted(dropped.items()))
            click.echo(f"\ndropped and counted: {told}")
    return 0


def _report(cassette: Cassette) -> int:
    """What the seal says; 1 where there is no seal."""
    import msgspec

    from turnreel.recorder.linting import described
    from turnreel.sanitizers import Report

    click.echo(heading(cassette.header))
    click.echo(_rules(cassette.header))
    seal = cassette.seal
    if seal is None:
        click.echo("no seal: its recorder was killed")
        return 1
    try:
        report = msgspec.convert(seal.report or {"replaced": {}, "unlisted": []}, Report)
    except msgspec.ValidationError:
        click.echo("its report is in a form this turnreel does not know")
        return 1
    for check in seal.unchecked:
        click.echo(f"not checked again when it was recovered: {check}")
    kinds = (("replaced", report.replaced), ("masked by the seal gate", report.gate))
    rows = [(what, rule, str(count)) for what, counts in kinds for rule, count in counts.items()]
    if rows:
        table(("what", "rule", "count"), rows)
    else:
        click.echo("nothing was replaced by a rule")
    for met in report.unlisted:
        click.echo(described(met))
    return 0


def _rules(header: Header) -> str:
    """What it was sanitized by, in one line."""
    policies = [f"{dialect} {version}" for dialect, version in header.policies.items()]
    if header.project_policy is not None:
        policies.append(f"the project's {header.project_policy[:19]}")
    again = f"; sanitized again from {header.sanitized_from}" if header.sanitized_from else ""
    return f"rules {header.rules}; policies {', '.join(policies) or 'none'}{again}"


def heading(header: Header) -> str:
    """What was recorded, in one line."""
    agent = " ".join(filter(None, (header.agent.name, header.agent.version)))
    tracks = ", ".join(f"{track.id} {track.dialect}" for track in header.tracks)
    lacks = f"; lacks {', '.join(header.lacks)}" if header.lacks else ""
    return f"{header.id}: {agent}, {header.profile}, {header.origin.kind}; {tracks}{lacks}"
