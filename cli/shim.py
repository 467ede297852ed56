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
    "  turnreel shim --install shims broken.cassette.jsonl\n"
    '  PATH="$PWD/shims:$PATH" my-host',
)
@click.option(
    "--install",
    "where",
    type=click.Path(path_type=Path, file_okay=False),
    help="Put an executable that does this into a folder, instead of doing it.",
)
@click.option("--as", "name", help="What that executable is called; as the recorded agent.")
@click.argument("cassette", type=click.Path(path_type=Path))
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
@plan_options
def command(
    cassette: Path,
    args: tuple[str, ...],
    where: Path | None,
    name: str | None,
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

    With --install, a host that starts the agent itself is given the executable: the folder first on
    its PATH, or the executable's path as the agent's program.
    """
    from turnreel.replayer.shim import depart, run_shim
    from turnreel.replayer.tape import load

    plan = plan_of(faults, plan_file, pacing, seed)
    if where is not None:
        click.echo(_installed(cassette, where, name, faults, plan_file, pacing, seed))
        return
    if dry_run:
        from turnreel.replayer.rehearsal import rehearse_agent

        for line in rehearse_agent(load(cassette), plan):
            click.echo(line)
        return
    departure = run_shim(load(cassette), plan, args)
    sys.stdout.flush()
    depart(departure)


def _installed(
    cassette: Path,
    where: Path,
    name: str | None,
    faults: tuple[str, ...],
    plan_file: Path | None,
    pacing: str | None,
    seed: int | None,
) -> Path:
    from turnreel.replayer.installing import Shim, install
    from turnreel.replayer.tape import load

    tape = load(cassette)
    tape.agent_script()
    shim = Shim(
        cassette=str(cassette.absolute()),
        faults=faults,
        plan_file=str(plan_file.absolute()) if plan_file else None,
        pacing=pacing,
        seed=seed,
    )
    return install(shim, where.absolute(), name or tape.agent)
