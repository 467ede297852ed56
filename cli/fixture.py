"""``turnreel fixture``: recordings shrunk to what still shows a defect."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from .output import counted, progress
from .project import policy_of, policy_option

if TYPE_CHECKING:
    from turnreel.conformance.fixtures import Fixture
    from turnreel.conformance.shrinking import Shrunk

Command = TypeVar("Command", bound=Callable[..., Any])

_NUMBERS: Final = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
KEPT_LIMIT: Final = 10_000


@click.group(
    "fixture",
    epilog="\b\nExamples:\n"
    "  turnreel fixture minimize broken.cassette.jsonl --to small.cassette.jsonl\n"
    "  turnreel fixture new lost-answer --from broken.cassette.jsonl --issue https://example.com/412",
)
def command() -> None:
    """Shrink a recording to a fixture with its turn."""


def _shrinking_options(command: Command) -> Command:
    """What every command that shrinks takes."""
    for option in (
        click.option(
            "--force", is_flag=True, help="Replace an existing cassette, once the new one is whole."
        ),
        policy_option,
        click.option(
            "--keep",
            "kept",
            metavar="N[-M]",
            multiple=True,
            help="Records that stay as they are, by the numbers of turnreel show; repeatable.",
        ),
    ):
        command = option(command)
    return command


@command.command(
    "minimize",
    epilog="\b\nExamples:\n"
    "  turnreel fixture minimize broken.cassette.jsonl --to small.cassette.jsonl\n"
    "  turnreel fixture minimize broken.cassette.jsonl --to small.cassette.jsonl --keep 12-15",
)
@click.argument("cassette", type=click.Path(path_type=Path))
@click.option(
    "--to",
    "target",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The cassette to write.",
)
@_shrinking_options
def minimize_command(
    cassette: Path, target: Path, kept: tuple[str, ...], policy_file: Path | None, force: bool
) -> None:
    """Take away of a cassette whatever it can do without.

    Whole exchanges go first, then records, fields and the ends of texts, as long as the rest shows
    the same: where clauses of the contract fail, the same clauses; where all hold, the same turn,
    in every sweep. What is left is a valid cassette. The same cassette gives the same one.
    """
    from turnreel.cassettes import Existing
    from turnreel.conformance.shrinking import minimize

    with progress("shrink") as moved:
        shrunk = minimize(
            cassette,
            target,
            existing=Existing.REPLACE if force else Existing.REFUSE,
            policy=policy_of(policy_file),
            keep=numbers(kept),
            on_progress=moved,
        )
    _tell(shrunk)


@command.command(
    "new",
    epilog="\b\nExamples:\n"
    "  turnreel fixture new lost-answer --from broken.cassette.jsonl --issue https://example.com/412\n"
    "  turnreel fixture new declined --scenario declined --dialect hermes-tui --issue https://x.org/1",
)
@click.argument("name")
@click.option("--from", "source", type=click.Path(path_type=Path), help="The recording of it.")
@click.option("--scenario", metavar="NAME|FILE", help="A scripted turn instead of a recording.")
@click.option("--dialect", help="What the scenario's agent speaks: see adapters.")
@click.option("--issue", required=True, metavar="URL", help="The report that it is made for.")
@click.option(
    "--keep-text", is_flag=True, help="Texts stay readable: for scripted and isolated sessions."
)
@click.option(
    "--into",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder; the first of [tool.turnreel] cassettes unless said, or ./cassettes.",
)
@_shrinking_options
def new_command(
    name: str,
    source: Path | None,
    scenario: str | None,
    dialect: str | None,
    issue: str,
    keep_text: bool,
    folder: Path | None,
    kept: tuple[str, ...],
    policy_file: Path | None,
    force: bool,
) -> None:
    """Make a fixture: the least of a recording, its turn beside it, the report in its header.

    The turn is the one beside the recording, or else as it comes out now: read it, and correct it
    where the code is wrong. From then on `turnreel verify` holds every change against both, and so
    does pytest where [tool.turnreel] says collect = true.
    """
    from turnreel.cassettes import Existing
    from turnreel.conformance.fixtures import Wanted, from_recording, from_scenario
    from turnreel.conformance.scenarios import scenario_of

    from .verify import configured

    if (source is None) == (scenario is None):
        raise click.UsageError("a fixture comes --from a recording or of a --scenario")
    if (scenario is None) != (dialect is None):
        raise click.UsageError("--scenario and --dialect go together")
    wanted = Wanted(
        name=name,
        folder=folder or configured(Path())[0],
        issue=issue,
        existing=Existing.REPLACE if force else Existing.REFUSE,
    )
    if source is None:
        assert scenario is not None and dialect is not None, "checked above"
        _tell_fixture(from_scenario(wanted, scenario_of(scenario), dialect))
        return
    with progress("shrink") as moved:
        fixture = from_recording(
            wanted,
            source,
            profile="fixture" if keep_text else "strict",
            policy=policy_of(policy_file),
            keep=numbers(kept),
            on_progress=moved,
        )
    _tell_fixture(fixture)


def numbers(words: tuple[str, ...]) -> tuple[int, ...]:
    """The record numbers that ``12`` and ``12-15`` name. Raises `click.UsageError` for others."""
    named: list[int] = []
    for word in words:
        said = _NUMBERS.fullmatch(word)
        first, last = (int(said[1]), int(said[2] or said[1])) if said else (0, 0)
        if not 1 <= first <= last or last - first > KEPT_LIMIT:
            raise click.UsageError(f"--keep {word}: write a number or a range, as 12-15")
        named += range(first, last + 1)
    return tuple(named)


def _tell(shrunk: Shrunk) -> None:
    click.echo(
        f"{shrunk.path}: {shrunk.records} of {counted(shrunk.of_records, 'record')}, "
        f"{shrunk.characters} of {shrunk.of_characters} characters, {shrunk.trials} trials"
    )
    for line in shrunk.verdict.lines():
        click.echo(f"kept: {line}")
    if not shrunk.is_least:
        click.echo("not the least there is: the search reached its bound (shrink it again)")


def _tell_fixture(fixture: Fixture) -> None:
    if fixture.shrunk is None:
        click.echo(f"{fixture.cassette}: written")
    else:
        _tell(fixture.shrunk)
    click.echo(f"{fixture.golden}: {fixture.golden_is}")
    for line in fixture.golden.read_text(encoding="utf-8").splitlines():
        click.echo(f"    {line}")
    click.echo(f"held by: turnreel verify {fixture.cassette}")
