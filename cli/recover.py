"""``turnreel recover``: seal what a killed recorder left."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(
    "recover",
    epilog="\b\nExamples:\n"
    "  turnreel recover broken.cassette.jsonl\n"
    "  turnreel recover broken.cassette.jsonl --to sealed.cassette.jsonl",
)
@click.argument("cassette", type=click.Path(path_type=Path))
@click.option(
    "--to",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the sealed cassette there instead of in its own place.",
)
def command(cassette: Path, target: Path | None) -> None:
    """Seal a cassette whose recorder was killed.

    Every whole record is kept; a last one that was cut goes. The seal says that it was added later,
    and that the check against the recorder's own secrets could not be repeated: read the cassette
    before you publish it. The file is replaced only when the sealed one is whole.
    """
    from turnreel.cassettes.recover import recover

    seal = recover(cassette, target)
    click.echo(f"{target or cassette}: sealed with {seal.records} records")
    for check in seal.unchecked:
        click.echo(f"not checked again: {check}", err=True)
