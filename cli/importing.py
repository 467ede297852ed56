"""``turnreel import``: cassettes from recordings in other forms, each a command of its own."""

from __future__ import annotations

from pathlib import Path

import click

from .project import policy_of, policy_option


@click.group(
    "import",
    epilog="\b\nExamples:\n"
    "  turnreel import capture session.jsonl --to session.cassette.jsonl\n"
    "  turnreel import transcript SESSION.jsonl --to transcript.cassette.jsonl",
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
def capture(file: Path, target: Path, profile: str, force: bool, policy_file: Path | None) -> None:
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
    )
    click.echo(f"{sealed.path or target}: {sealed.records} records")


@command.command(
    "transcript",
    epilog="\b\nExamples:\n"
    "  turnreel import transcript ~/.claude/projects/-srv-app/SESSION.jsonl --to t.cassette.jsonl",
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
    type=click.Choice(("strict", "fixture")),
    default="strict",
    show_default=True,
    help="What may land; transcripts hold people's sessions.",
)
@click.option(
    "--force", is_flag=True, help="Replace an existing cassette, once the new one is whole."
)
@policy_option
def transcript(
    file: Path, target: Path, profile: str, force: bool, policy_file: Path | None
) -> None:
    """Import what Claude Code keeps of a session on its user's disk.

    A transcript is evidence of what was said in which message, never of a turn: the cassette has
    one track and no runs. What it lacks, its header says.
    """
    from turnreel.cassettes import Existing
    from turnreel.recorder.transcripts import import_transcript

    sealed = import_transcript(
        file,
        target,
        profile="fixture" if profile == "fixture" else "strict",
        existing=Existing.REPLACE if force else Existing.REFUSE,
        policy=policy_of(policy_file),
    )
    click.echo(f"{sealed.path or target}: {sealed.records} records")
