"""``turnreel record``: run an agent and keep what it and its provider say."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .doors import door_options
from .opinions import opinions_option
from .project import policy_of, policy_option, policy_path
from .reviewing import Review
from .sizes import SIZE
from .terms import terms, terms_options

if TYPE_CHECKING:
    from turnreel.recorder.record import Recording
    from turnreel.sanitizers import OpinionName


@click.command(
    "record",
    context_settings={"allow_interspersed_args": False},
    epilog="\b\nExamples:\n"
    "  turnreel record -- claude -p --output-format stream-json --verbose -- 'Hello'\n"
    "  turnreel record --to broken.cassette.jsonl --provider-url https://api.anthropic.com -- \\\n"
    "    claude -p --output-format stream-json --verbose -- 'Why is the build red?'\n"
    "  turnreel record --pty --provider-url https://api.anthropic.com -- claude\n"
    "  turnreel record --dialect claude-stream-json -- ./my-wrapper 'Hello'\n"
    "  turnreel record --agent-url http://127.0.0.1:8642 -- ./my-host",
)
@click.option(
    "--to",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The cassette; named after agent and time in this folder unless said.",
)
@click.option(
    "--force", is_flag=True, help="Replace an existing cassette, once the new one is whole."
)
@click.option(
    "--profile", type=click.Choice(("strict", "fixture")), help="What may land; strict unless said."
)
@click.option(
    "--keep-text",
    is_flag=True,
    help="Visible text stays readable (profile fixture): for scripted and isolated agents.",
)
@policy_option
@opinions_option
@click.option(
    "--review",
    "is_reviewed",
    is_flag=True,
    help="Ask at the end, on the terminal, about fields that no policy lists.",
)
@click.option(
    "--rotate", type=SIZE, metavar="SIZE", help="Go on in a new cassette after so many bytes."
)
@click.option(
    "--quota", type=SIZE, metavar="SIZE", help="Remove the oldest of them beyond so many bytes."
)
@click.option(
    "--pty",
    "at_terminal",
    is_flag=True,
    help="The agent has this terminal; record its provider and its transcript.",
)
@click.option("--provider-url", metavar="URL", help="The real provider; recorded through a proxy.")
@door_options
@terms_options
@click.option(
    "--agent-url", metavar="URL", help="An agent behind HTTP; its hosts come in by a proxy."
)
@click.option(
    "--agent-listen", "agent_address", metavar="HOST:PORT", help="Address of that proxy, likewise."
)
@click.option("--dialect", help="What the agent speaks, where its name does not tell: adapters.")
@click.argument("argv", metavar="-- COMMAND...", nargs=-1, type=click.UNPROCESSED)
def command(
    argv: tuple[str, ...],
    target: Path | None,
    force: bool,
    profile: str | None,
    keep_text: bool,
    policy_file: Path | None,
    opinions: tuple[OpinionName, ...],
    is_reviewed: bool,
    rotate: int | None,
    quota: int | None,
    at_terminal: bool,
    provider_url: str | None,
    address: str | None,
    token: str | None,
    marker: str | None,
    empty_finals: bool,
    agent_url: str | None,
    agent_address: str | None,
    dialect: str | None,
) -> None:
    """Run an agent and record what it and its provider say.

    Bytes, signals and the exit code pass through as if COMMAND had been started directly; whatever
    happens to the recording, it runs to its end. Only sanitized records are ever written. Ends as
    COMMAND ended.

    With --agent-url, the agent is a server. Its hosts are pointed at a proxy, whose URL is printed,
    and COMMAND, a host or the server itself, finds it in TURNREEL_AGENT_URL; without COMMAND it is
    recorded until Ctrl-C.
    """
    from turnreel.cassettes import Existing
    from turnreel.recorder.doors import door
    from turnreel.recorder.exits import leave
    from turnreel.recorder.record import Provider, Wanted, record
    from turnreel.recorder.rotation import Rotation
    from turnreel.recorder.serving import Server, record_server

    if not argv and agent_url is None:
        raise click.UsageError("Missing argument '-- COMMAND...'.")
    if agent_url is None and agent_address is not None:
        raise click.UsageError("--agent-listen is the address of --agent-url's proxy")
    if agent_url is not None and (at_terminal or dialect is not None):
        raise click.UsageError("--agent-url is an agent behind HTTP: no --pty, no --dialect")
    if rotate is not None and is_reviewed:
        raise click.UsageError("--review looks at a whole session, --rotate keeps none")
    if quota is not None and rotate is None:
        raise click.UsageError("--quota needs --rotate: the oldest parts go")
    if keep_text and profile == "strict":
        raise click.UsageError("--keep-text is --profile fixture, not strict")
    review = _review(policy_file) if is_reviewed else None
    called = "agent" if agent_url is not None else Path(argv[0]).stem
    name = target or Path(f"{called}-{time.strftime('%Y%m%d-%H%M%S')}.cassette.jsonl")
    wanted = Wanted(
        profile="fixture" if keep_text or profile == "fixture" else "strict",
        dialect=dialect,
        provider=Provider(url=provider_url, door=door(address, token)),
        existing=Existing.REPLACE if force else Existing.REFUSE,
        policy=policy_of(policy_file) if review is None else review.policy,
        opinions=opinions,
        review=review,
        at_terminal=at_terminal,
        terms=terms(marker, empty_finals),
        rotation=None if rotate is None else Rotation(part_bytes=rotate, quota_bytes=quota),
    )
    if agent_url is None:
        recording = record(argv, name, wanted)
    else:
        server = Server(url=agent_url, door=door(agent_address, token))

        def ready(places: Mapping[str, str]) -> None:
            for variable, url in places.items():
                # Standard output is the command's, if there is one.
                click.echo(f"{variable}={url}", err=bool(argv))

        recording = record_server(server, name, wanted, ready=ready, argv=argv)
    _report(recording, is_named=target is not None)
    leave(recording.exit)


def _review(policy_file: Path | None) -> Review:
    """A review that adds to the project's policy, or begins one."""
    from turnreel.recorder.project_policy import ProjectPolicy

    path = policy_path(policy_file)
    is_new = path is not None and not path.exists()
    return Review(ProjectPolicy() if is_new else policy_of(policy_file), path)


def _report(recording: Recording, *, is_named: bool) -> None:
    if recording.failure is not None:
        click.echo(f"turnreel: {recording.failure}", err=True)
    elif recording.sealed is None or recording.sealed.path is None:
        click.echo("turnreel: nothing was recorded", err=True)
    elif not is_named or sys.stderr.isatty():
        sealed = recording.sealed
        click.echo(f"turnreel: {sealed.records} records in {sealed.path}", err=True)
    if recording.sealed is not None and recording.sealed.note:
        click.echo(f"turnreel: {recording.sealed.note}", err=True)
