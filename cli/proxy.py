"""``turnreel proxy``: a recording stand-in for a provider."""

from __future__ import annotations

from pathlib import Path

import click

from .doors import door_options
from .project import policy_of, policy_option


@click.command(
    "proxy",
    epilog="\b\nExamples:\n"
    "  turnreel proxy --upstream https://api.anthropic.com --to recordings/\n"
    "  turnreel proxy --upstream http://127.0.0.1:8080 --to recordings/ --listen 127.0.0.1:8101\n"
    "  turnreel proxy --upstream https://api.anthropic.com --to recordings/ --listen 0.0.0.0:8101",
)
@click.option("--upstream", required=True, metavar="URL", help="The provider's base URL.")
@click.option(
    "--to",
    "folder",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder for the cassettes; made if it is not there.",
)
@door_options
@click.option("--dialect", default="anthropic-messages", show_default=True, help="See adapters.")
@click.option(
    "--profile",
    type=click.Choice(("strict", "fixture")),
    default="strict",
    show_default=True,
    help="What may land; fixture is for scripted sessions.",
)
@policy_option
def command(
    upstream: str,
    folder: Path,
    address: str | None,
    token: str | None,
    dialect: str,
    profile: str,
    policy_file: Path | None,
) -> None:
    """Record whatever clients ask of a provider.

    Prints the base URL to give to clients and relays every request until Ctrl-C or SIGTERM. All of
    them make one cassette; failed, cut and cancelled answers are recorded like any other. Where
    others than this machine can reach it, the URL holds a token and nobody is answered without it.
    """
    from turnreel.recorder.doors import door
    from turnreel.recorder.listen import record_requests

    def ready(url: str, target: Path) -> None:
        click.echo(url)
        click.echo(f"recording to {target}", err=True)

    sealed = record_requests(
        upstream,
        folder,
        ready=ready,
        dialect=dialect,
        profile="fixture" if profile == "fixture" else "strict",
        door=door(address, token),
        policy=policy_of(policy_file),
    )
    if sealed.path is None:
        click.echo("nothing was asked, nothing was recorded", err=True)
    else:
        click.echo(f"{sealed.records} records in {sealed.path}", err=True)
