"""``turnreel export``: recordings in other forms from cassettes, each a command of its own."""

from __future__ import annotations

from pathlib import Path

import click


@click.group(
    "export",
    epilog="\b\nExamples:\n  turnreel export vcr session.cassette.jsonl --to session.yaml",
)
def command() -> None:
    """Make a recording in another form from a cassette."""


@command.command(
    "vcr",
    epilog="\b\nExamples:\n"
    "  turnreel export vcr session.cassette.jsonl --to session.yaml\n"
    "  turnreel export vcr broken.cassette.jsonl --to broken.json --lossy",
)
@click.argument("cassette", type=click.Path(path_type=Path))
@click.option(
    "--to",
    "target",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write: YAML, or JSON where it ends in .json.",
)
@click.option("--lossy", is_flag=True, help="Export also what vcrpy cannot hold, as far as it can.")
@click.option("--force", is_flag=True, help="Replace an existing file, once the new one is whole.")
def vcr(cassette: Path, target: Path, lossy: bool, force: bool) -> None:
    """Export the exchanges with providers as a cassette of vcrpy.

    vcrpy holds whole bodies and no times: it plays a stream that was cut as if it had ended. So
    such a cassette is refused unless --lossy accepts that; what was lost is told.
    """
    from turnreel.cassettes import Existing
    from turnreel.recorder.vcrpy.exporting import export_vcr

    done = export_vcr(
        cassette,
        target,
        losses="accept" if lossy else "refuse",
        existing=Existing.REPLACE if force else Existing.REFUSE,
    )
    click.echo(f"{done.path}: {done.interactions} interactions")
    for line in done.lost:
        click.echo(f"lost: {line}", err=True)
