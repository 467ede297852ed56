"""``turnreel adapters``: which dialects there are, and what each can and cannot say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from .output import as_json, document, table

if TYPE_CHECKING:
    from turnreel.adapters.evidence import Standing


@click.group(
    "adapters",
    invoke_without_command=True,
    epilog="\b\nExamples:\n"
    "  turnreel adapters\n"
    "  turnreel adapters --json\n"
    "  turnreel adapters new acme-stream",
)
@as_json
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """List the dialects and what each can and cannot say.

    An enabled dialect has passing evidence for its exact code and can be a host's only source of
    answers; a secondary one cannot (its limits say why); one that is refused says why, and can be
    translated and verified all the same. A provider's dialect gives health and replay to an
    agent's.
    """
    if context.invoked_subcommand is None:
        _list(as_json)


@command.command("new", epilog="\b\nExamples:\n  turnreel adapters new acme-stream")
@click.argument("name")
@click.option(
    "--to", "folder", type=click.Path(path_type=Path), help="The folder; NAME-turnreel if not said."
)
def new(name: str, folder: Path | None) -> None:
    """Write a package for a dialect of your own.

    It holds a small dialect that passes the gate, and tests that run: install it, then replace its
    frames by your agent's.
    """
    from turnreel.conformance.scaffold import scaffold

    chosen = folder or Path(f"{name}-turnreel")
    for path in scaffold(name, chosen):
        click.echo(path)
    click.echo(f"\npip install -e {chosen} && pytest {chosen}")


def _list(as_json: bool) -> None:
    from turnreel.adapters.registry import adapter, dialects, standings

    infos = [adapter(dialect).info for dialect in dialects()]
    standing = {one.dialect: one for one in standings()}
    if as_json:
        told = [
            {**msgspec.to_builtins(info), **_told(standing.pop(info.dialect))} for info in infos
        ]
        broken = [{"dialect": one.dialect, **_told(one)} for one in standing.values()]
        document([*told, *broken])
        return
    table(
        ("dialect", "agent", "carrier", "standing", "proven on"),
        [
            (
                info.dialect,
                info.agent or "-",
                info.carrier,
                standing[info.dialect].state,
                ", ".join(info.proven) or "-",
            )
            for info in infos
        ],
    )
    for one in standing.values():
        if one.reason:
            click.echo(f"\n{one.dialect} is refused: {one.reason}")
    for info in infos:
        if info.limits:
            click.echo(f"\n{info.dialect} cannot say everything:")
        for limit in info.limits:
            click.echo(f"  - {limit}")


def _told(one: Standing) -> dict[str, str]:
    return {"standing": one.state, "reason": one.reason}
