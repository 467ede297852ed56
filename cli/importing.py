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
    "  turnreel import rollout rollout-X.jsonl --to rollout.cassette.jsonl\n"
    "  turnreel import vcr test_stream.yaml --to test_stream.cassette.jsonl\n"
    "  turnreel import har session.har --to session.cassette.jsonl",
)
def command() -> None:
    """Make a cassette from a recording in another form."""


def import_options(profile: str, why: str) -> Callable[[Command], Command]:
    """What every import takes; `profile` is the usual one, and `why`."""

    def decorate(wrapped: Command) -> Command:
        for option in reversed(
            (
                click.argument("file", type=click.Path(path_type=Path)),
                click.option(
                    "--to",
                    "target",
                    required=True,
                    type=click.Path(path_type=Path, dir_okay=False),
                    help="The cassette to write.",
                ),
                click.option(
                    "--profile",
                    type=click.Choice(("fixture", "strict")),
                    default=profile,
                    show_default=True,
                    help=f"What may land; {why}.",
                ),
                click.option(
                    "--force",
                    is_flag=True,
                    help="Replace an existing cassette, once the new one is whole.",
                ),
                policy_option,
                opinions_option,
            )
        ):
            wrapped = option(wrapped)
        return wrapped

    return decorate


@command.command(
    "capture",
    epilog="\b\nExamples:\n"
    "  turnreel import capture session.jsonl --to session.cassette.jsonl\n"
    "  turnreel import capture session.jsonl --to out.cassette.jsonl --profile strict --force",
)
@import_options("fixture", "captures hold scripted sessions")
def capture(file: Path, target: Path, **options: Any) -> None:
    """Import a capture: JSON lines of what an agent printed and its host wrote.

    The same capture gives the same cassette. What it does not hold, the cassette's header says it
    lacks.
    """
    from turnreel.recorder.captures import import_capture

    _import(import_capture, file, target, **options)


@command.command(
    "transcript",
    epilog="\b\nExamples:\n"
    "  turnreel import transcript ~/.claude/projects/-srv-app/SESSION.jsonl --to t.cassette.jsonl",
)
@import_options("strict", "transcripts hold people's sessions")
def transcript(file: Path, target: Path, **options: Any) -> None:
    """Import what Claude Code keeps of a session on its user's disk.

    A transcript is evidence of what was said in which message, never of a turn: the cassette has
    one track and no runs. What it lacks, its header says.
    """
    from turnreel.recorder.transcripts import import_transcript

    _import(import_transcript, file, target, **options)


@command.command(
    "rollout",
    epilog="\b\nExamples:\n"
    "  turnreel import rollout ~/.codex/sessions/2026/01/31/rollout-X.jsonl --to r.cassette.jsonl",
)
@import_options("strict", "rollouts hold people's sessions")
def rollout(file: Path, target: Path, **options: Any) -> None:
    """Import what Codex keeps of a thread on its user's disk.

    A rollout is evidence of what was said and done, and of how turns ended, never of their stream:
    the cassette has one track and no runs. What it lacks, its header says.
    """
    from turnreel.recorder.rollouts import import_rollout

    _import(import_rollout, file, target, **options)


@command.command(
    "vcr",
    epilog="\b\nExamples:\n"
    "  turnreel import vcr cassettes/test_stream.yaml --to test_stream.cassette.jsonl\n"
    "  turnreel import vcr old.json --to old.cassette.jsonl --profile strict",
)
@import_options("fixture", "vcrpy's cassettes are fixtures already")
def vcr(file: Path, target: Path, **options: Any) -> None:
    """Import a cassette of vcrpy, YAML or JSON.

    Streams are split into their events; vcrpy kept no times, so all of them are zero. Request
    bodies become features. What speaks no dialect that is known lands as shapes.
    """
    from turnreel.recorder.vcrpy.importing import import_vcr

    _import(import_vcr, file, target, **options)


@command.command(
    "har",
    epilog="\b\nExamples:\n"
    "  turnreel import har session.har --to session.cassette.jsonl\n"
    "  turnreel import har session.har --to session.cassette.jsonl --profile fixture",
)
@import_options("strict", "a browser's sessions are people's")
def har(file: Path, target: Path, **options: Any) -> None:
    """Import the providers' exchanges of a HAR file: streams, JSON and WebSocket messages.

    Exchanges with anybody else are left out. Requests and answers have their times, the events
    within an answer are spread over its own.
    """
    from turnreel.recorder.har import import_har

    _import(import_har, file, target, **options)


def _import(
    make: Callable[..., Sealed],
    file: Path,
    target: Path,
    *,
    profile: str,
    force: bool,
    policy_file: Path | None,
    opinions: tuple[OpinionName, ...],
) -> None:
    from turnreel.cassettes import Existing
    from turnreel.wire.errors import TurnreelError

    if target.exists() and file.exists() and target.samefile(file):
        raise TurnreelError(
            f"{target}: the recording itself", "choose another name for the cassette"
        )
    sealed = make(
        file,
        target,
        profile=profile,
        existing=Existing.REPLACE if force else Existing.REFUSE,
        policy=policy_of(policy_file),
        opinions=opinions,
    )
    click.echo(f"{sealed.path or target}: {sealed.records} records")
    if sealed.note:
        click.echo(sealed.note, err=True)
