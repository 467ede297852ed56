"""``turnreel recover``: seal what a killed recorder left, or what was not sealed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .opinions import opinions_option
from .project import policy_of, policy_option

if TYPE_CHECKING:
    from turnreel.sanitizers import OpinionName


@click.command(
    "recover",
    epilog="\b\nExamples:\n"
    "  turnreel recover broken.cassette.jsonl\n"
    "  turnreel recover broken.cassette.jsonl --to sealed.cassette.jsonl\n"
    "  turnreel recover broken.cassette.jsonl.part",
)
@click.argument("cassette", type=click.Path(path_type=Path))
@click.option(
    "--to",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the sealed cassette there instead of in its own place.",
)
@policy_option
@opinions_option
def command(
    cassette: Path, target: Path | None, policy_file: Path | None, opinions: tuple[OpinionName, ...]
) -> None:
    """Seal a cassette that was left without a seal.

    Every whole record is kept; a last one that was cut goes. The seal says that it was added later,
    and that the check against the recorder's own secrets could not be repeated: read the cassette
    before you publish it. The file is replaced only when the sealed one is whole.

    A .part file, which stays where the seal gate objected to a record, is first looked at by
    today's rules, and for what this machine knows to be private; then it gets its cassette's name.
    """
    from turnreel.cassettes.recover import recover
    from turnreel.recorder.recovering import is_part, named, release

    if is_part(cassette):
        seal = release(cassette, target, policy_of(policy_file), opinions)
        target = target or named(cassette)
    else:
        seal = recover(cassette, target)
    click.echo(f"{target or cassette}: sealed with {seal.records} records")
    for check in seal.unchecked:
        click.echo(f"not checked again: {check}", err=True)
