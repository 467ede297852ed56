"""The options by which a fault plan is given, the same for every command that plays a cassette."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from turnreel.replayer.faults import Plan

Command = TypeVar("Command", bound=Callable[..., Any])


def plan_options(command: Command) -> Command:
    """``--fault``, ``--plan``, ``--pacing`` and ``--seed``, which `plan_of` reads, and
    ``--dry-run``.
    """
    for option in (
        click.option(
            "--dry-run",
            is_flag=True,
            help="Only print what would happen to which event, and exit.",
        ),
        click.option("--seed", type=int, help="Decides where chance decides; 0 unless said."),
        click.option("--pacing", metavar="PACE", help="recorded (default), factor:X or max."),
        click.option(
            "--plan",
            "plan_file",
            type=click.Path(path_type=Path, dir_okay=False),
            help="A TOML or JSON file with faults, seed and pacing.",
        ),
        click.option(
            "--fault",
            "faults",
            multiple=True,
            metavar="SPEC",
            help="What shall go wrong, as cut:reset@event=5; see turnreel faults. Repeatable.",
        ),
    ):
        command = option(command)
    return command


REHEARSED: Final = "--json is of what was answered: --dry-run answers nothing"
"""What is wrong with both options at once."""


def plan_of(
    faults: tuple[str, ...], plan_file: Path | None, pacing: str | None, seed: int | None
) -> Plan:
    """The plan that these options say: the file's, with the others on top of it.

    Raises PlanError for what cannot be read.
    """
    from turnreel.replayer.faults import Plan
    from turnreel.replayer.plan import load_plan, parse_fault, parse_pacing

    base = load_plan(plan_file) if plan_file else Plan()
    return Plan(
        (*base.faults, *map(parse_fault, faults)),
        base.seed if seed is None else seed,
        base.pacing if pacing is None else parse_pacing(pacing),
    )
