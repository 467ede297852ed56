"""``turnreel tap``: an executable in the agent's place, for hosts that start the agent."""

from __future__ import annotations

from pathlib import Path

import click

from .project import policy_of, policy_option
from .terms import terms, terms_options


@click.command(
    "tap",
    epilog="\b\nExamples:\n"
    "  turnreel tap --install taps\n"
    '  PATH="$PWD/taps:$PATH" my-host\n'
    "  turnreel tap --install taps --as claude --agent ~/.local/bin/claude --to session\n"
    "  turnreel tap --install taps --provider-url https://api.anthropic.com",
)
@click.option(
    "--install",
    "where",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder for the executable; made if it is not there.",
)
@click.option(
    "--as", "name", default="claude", show_default=True, help="What the agent's program is called."
)
@click.option(
    "--agent",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The real agent's program; the next of that name on PATH unless said.",
)
@click.option("--provider-url", metavar="URL", help="Record the provider there through a proxy.")
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder for the cassettes; cassettes beside the executable unless said.",
)
@click.option("--dialect", help="What the agent speaks, where its name does not tell: adapters.")
@click.option(
    "--keep-text",
    is_flag=True,
    help="Visible text stays readable (profile fixture): for scripted and isolated agents.",
)
@policy_option
@terms_options
def command(
    where: Path,
    name: str,
    agent: Path | None,
    provider_url: str | None,
    folder: Path | None,
    dialect: str | None,
    keep_text: bool,
    policy_file: Path | None,
    marker: str | None,
    empty_finals: bool,
) -> None:
    """Put an executable in an agent's place that records it.

    For applications that start the agent themselves: put the folder first on their PATH, or give
    the executable's path to the SDK. Each invocation runs the real agent and records what it says
    and is given into a cassette of its own; bytes, signals, exit code and environment pass through.
    Remove the executable to undo it.
    """
    from turnreel.recorder.tap import Tap, install

    path = install(
        Tap(
            name=name,
            folder=str((folder or where / "cassettes").absolute()),
            agent=None if agent is None else str(agent.absolute()),
            dialect=dialect,
            provider_url=provider_url,
            profile="fixture" if keep_text else "strict",
            policy=policy_of(policy_file),
            terms=terms(marker, empty_finals),
        ),
        where.absolute(),
    )
    click.echo(path)
