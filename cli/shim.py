"""``turnreel shim``: a recorded agent as a program."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from .plans import plan_of, plan_options


@click.command(
    "shim",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    epilog="\b\nExamples:\n"
    "  turnreel shim broken.cassette.jsonl\n"
    "  turnreel shim --fault kill@event=7 broken.cassette.jsonl\n"
    '  exec turnreel shim broken.cassette.jsonl "$@"       in a script named claude',
)
@click.argument("cassette", type=click.Path(path_type=Path))
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
@plan_options
def command(
    cassette: Path,
    args: tuple[str, ...],
    faults: tuple[str, ...],
    plan_file: Path | None,
    pacing: str | None,
    seed: int | None,
    dry_run: bool,
) -> None:
    """Play a cassette as the agent's program.

    stdout and stderr carry the recorded bytes; what the host wrote when it was recorded has to come
    again before anything later happens. ARGS are the agent's own and are taken as they come. Ends
    as the agent ended: with its exit code, or killed by its signal.
    """
    from turnreel.replayer.shim import depart, run_shim
    from turnreel.replayer.tape import load

    plan = plan_of(faults, plan_file, pacing, seed)
    if dry_run:
        from turnreel.replayer.rehearsal import rehearse_agent

        for line in rehearse_agent(load(cassette), plan):
            click.echo(line)
        return
    departure = run_shim(load(cassette), plan, args)
    sys.stdout.flush()
    depart(departure)
