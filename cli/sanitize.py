"""``turnreel sanitize``: a cassette under today's policies and rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .opinions import opinions_option
from .project import policy_of, policy_option

if TYPE_CHECKING:
    from turnreel.sanitizers import OpinionName


@click.command(
    "sanitize",
    epilog="\b\nExamples:\n"
    "  turnreel sanitize old.cassette.jsonl --to new.cassette.jsonl\n"
    "  turnreel sanitize mine.cassette.jsonl --to shared.cassette.jsonl --profile strict\n"
    "  turnreel sanitize a.cassette.jsonl --to a.cassette.jsonl --force",
)
@click.argument("cassette", type=click.Path(path_type=Path))
@click.option(
    "--to",
    "target",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The cassette to write; CASSETTE itself with --force.",
)
@click.option(
    "--profile",
    type=click.Choice(("strict", "fixture")),
    help="What may land; as the cassette is, unless said.",
)
@policy_option
@opinions_option
@click.option(
    "--force", is_flag=True, help="Replace an existing cassette, once the new one is whole."
)
def command(
    cassette: Path,
    target: Path,
    profile: str | None,
    policy_file: Path | None,
    opinions: tuple[OpinionName, ...],
    force: bool,
) -> None:
    """Sanitize a cassette again, under today's policies and rules.

    Times, order and all that may stay are kept; what changed is what today's rules would not let
    land. The header names the cassette it comes from. A strict cassette can be made from a fixture,
    never a fixture from a strict one. Doing it twice changes nothing.
    """
    from turnreel.cassettes import Existing, open_cassette
    from turnreel.recorder.sanitizing import sanitize

    wanted = profile or open_cassette(cassette).header.profile
    sealed = sanitize(
        cassette,
        target,
        profile="fixture" if wanted == "fixture" else "strict",
        existing=Existing.REPLACE if force else Existing.REFUSE,
        policy=policy_of(policy_file),
        opinions=opinions,
    )
    click.echo(f"{sealed.path or target}: {sealed.records} records")
