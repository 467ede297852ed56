"""``turnreel import``: cassettes from recordings in other forms, each a command of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .opinions import opinions_option
from .project import policy_of, policy_option

if TYPE_CHECKING:
    from turnreel.recorder.messages import Sealed
    from turnreel.sanitizers import OpinionName

Command = TypeVar("Command", bound=Callable[..., Any])


@click.group(
    "import",
    epilog="\b\nExamples:\n"
    "  turnreel import capture session.jsonl --to session.cassette.jsonl\n"
    "  turnreel import transcript SESSION.jsonl --to transcript.cassette.jsonl\n"
    "  turnreel import rollout rollout-X.jsonl --to rollout.cassette.jsonl",
)
def command() -> None:
    """Make a cassette from a recording in another form."""


@command.command(
    "capture",
    epilog="\b\nExamples:\n"
    "  turnreel import capture session.jsonl --to session.cassette.jsonl\n"
    "  turnreel import capture session.jsonl --to out.cassette.jsonl --profile strict --force",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--to",
    "target",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The cassette to write.",
)
@click.option(
    "--profile",
    type=click.Choice(("fixture", "strict")),
    default="fixture",
    show_default=True,
    help="What may land; captures hold scripted sessions.",
)
@click.option(
    "--force", is_flag=True, help="Replace an existing cassette, once the new one is whole."
)
@policy_option
@opinions_option
def capture(
    file: Path,
    target: Path,
    profile: str,
    force: bool,
    policy_file: Path | None,
    opinions: tuple[OpinionName, ...],
) -> None:
    """Import a capture: JSON lines of what an agent printed and its host wrote.

    The same capture gives the same cassette. What it does not hold, the cassette's header says it
    lacks.
    """
    from turnreel.cassettes import Existing
    from turnreel.recorder.captures import import_capture
    from turnreel.wire.errors import TurnreelError

    if target.exists() and file.exists() and target.samefile(file):
        raise TurnreelError(f"{target}: the capture itself", "choose another name for the cassette")
    sealed = import_capture(
        file,
        target,
        profile="strict" if profile == "strict" else "fixture",
        existing=Existing.REPLACE if force else Existing.REFUSE,
        policy=policy_of(policy_file),
        opinions=opinions,
    )
    click.echo(f"{sealed.path or target}: {sealed.records} records")


def _kept_options(command: Command) -> Command:
    """What every import of a file that an agent keeps takes."""
    for option in (
        opinions_option,
        policy_option,
        click.option(
            "--force", is_flag=True, help="Replace an existing cassette, once the new one is whole."
        ),
        click.option(
            "--profile",
            type=click.Choice(("strict", "fixture")),
            default="strict",
            show_default=True,
            help="What may land; these files hold people's sessions.",
        ),
        click.option(
            "--to",
            "target",
            required=True,
            type=click.Path(path_type=Path, dir_okay=False),
            help="The cassette to write.",
        ),
        click.argument("file", type=click.Path(path_type=Path)),
    ):
        command = option(command)
    return command


@command.command(
    "transcript",
    epilog="\b\nExamples:\n"
    "  turnreel import transcript ~/.claude/projects/-srv-app/SESSION.jsonl --to t.cassette.jsonl",
)
@_kept_options
def transcript(
    file: Path,
    target: Path,
    profile: str,
    force: bool,
    policy_file: Path | None,
    opinions: tuple[OpinionName, ...],
) -> None:
    """Import what Claude Code keeps of a session on its user's disk.

    A transcript is evidence of what was said in which message, never of a turn: the cassette has
    one track and no runs. What it lacks, its header says.
    """
    from turnreel.recorder.transcripts import import_transcript

    _import(import_transcript, file, target, profile, force, policy_file, opinions)


@command.command(
    "rollout",
    epilog="\b\nExamples:\n"
    "  turnreel import rollout ~/.codex/sessions/2026/01/31/rollout-X.jsonl --to r.cassette.jsonl",
)
@_kept_options
def rollout(
    file: Path,
    target: Path,
    profile: str,
    force: bool,
    policy_file: Path | None,
    opinions: tuple[OpinionName, ...],
) -> None:
    """Import what Codex keeps of a thread on its user's disk.

    A rollout is evidence of what was said and done, and of how turns ended, never of their stream:
    the cassette has one track and no runs. What it lacks, its header says.
    """
    from turnreel.recorder.rollouts import import_rollout

    _import(import_rollout, file, target, profile, force, policy_file, opinions)


def _import(
    importing: Callable[..., Sealed],
    file: Path,
    target: Path,
    profile: str,
    force: bool,
    policy_file: Path | None,
    opinions: tuple[OpinionName, ...],
) -> None:
    from turnreel.cassettes import Existing

    sealed = importing(
        file,
        target,
        profile="fixture" if profile == "fixture" else "strict",
        existing=Existing.REPLACE if force else Existing.REFUSE,
        policy=policy_of(policy_file),
        opinions=opinions,
    )
    click.echo(f"{sealed.path or target}: {sealed.records} records")
