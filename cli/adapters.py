"""``turnreel adapters``: which dialects there are, and what each can and cannot say."""

from __future__ import annotations

import click
import msgspec

from .output import as_json, document, table


@click.command("adapters", epilog="\b\nExamples:\n  turnreel adapters\n  turnreel adapters --json")
@as_json
def command(as_json: bool) -> None:
    """List the dialects and what each can and cannot say.

    A primary dialect can be a host's only source of answers; a secondary one cannot (its limits
    say why); a provider dialect gives health and replay to an agent's.
    """
    from turnreel.adapters.registry import adapter, dialects

    infos = [adapter(dialect).info for dialect in dialects()]
    if as_json:
        document(msgspec.to_builtins(infos))
        return
    table(
        ("dialect", "agent", "carrier", "tier", "proven on"),
        [
            (
                info.dialect,
                info.agent or "-",
                info.carrier,
                info.tier,
                ", ".join(info.proven) or "-",
            )
            for info in infos
        ],
    )
    for info in infos:
        if info.limits:
            click.echo(f"\n{info.dialect} cannot say everything:")
        for limit in info.limits:
            click.echo(f"  - {limit}")
