"""``turnreel client``: the recorded client side, asked of a test server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .output import as_json, document, table
from .plans import REHEARSED, plan_of, plan_options

if TYPE_CHECKING:
    from turnreel.replayer.asking import Asked
    from turnreel.replayer.faults import Plan
    from turnreel.replayer.tape import ProviderScript

COLUMNS = ("exchange", "request", "status", "bytes", "events", "ended", "as recorded")


@click.command(
    "client",
    epilog="\b\nExamples:\n"
    "  turnreel client broken.cassette.jsonl --to http://127.0.0.1:8101\n"
    "  turnreel client broken.cassette.jsonl --to http://127.0.0.1:8101 --fault cancel@event=4\n"
    "  turnreel client broken.cassette.jsonl --to http://[::1]:8101 --record came.cassette.jsonl",
)
@click.argument("cassette", type=click.Path(path_type=Path))
@click.option("--to", "url", required=True, metavar="URL", help="The test server's base URL.")
@click.option(
    "--record",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Record what comes back to this cassette, through a proxy.",
)
@click.option("--keep-text", is_flag=True, help="What is recorded stays readable.")
@plan_options
@as_json
def command(
    cassette: Path,
    url: str,
    target: Path | None,
    keep_text: bool,
    faults: tuple[str, ...],
    plan_file: Path | None,
    pacing: str | None,
    seed: int | None,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Ask a test server what a cassette's client asked.

    Requests come in the order and at the distances recorded, and it leaves where the recorded
    client had left; cancels and reconnects of the plan are the client's. Bodies are features of the
    recorded requests, which hold none of their words: a real provider is not what this is for. Exit
    0 if every answer is the recorded one, 1 if one is not, 2 for a mistake of the caller or a fault
    that did not happen.
    """
    from turnreel.replayer.tape import load

    plan = plan_of(faults, plan_file, pacing, seed)
    tape = load(cassette)
    if dry_run and as_json:
        raise click.UsageError(REHEARSED)
    if dry_run:
        from turnreel.replayer.rehearsal import rehearse_client

        for line in rehearse_client(tape, plan):
            click.echo(line)
        return 0
    script = tape.provider()
    asked = _recorded(script, url, plan, target, keep_text) if target else _asked(script, url, plan)
    if as_json:
        document([_told(one) for one in asked])
    else:
        table(COLUMNS, [_row(one) for one in asked])
    return 0 if all(one.is_recorded for one in asked) else 1


def _asked(script: ProviderScript, url: str, plan: Plan) -> list[Asked]:
    from turnreel.replayer.asking import ask_again

    return asyncio.run(ask_again(script.exchanges, url, plan))


def _recorded(
    script: ProviderScript, url: str, plan: Plan, target: Path, keep_text: bool
) -> list[Asked]:
    from turnreel.recorder.listen import record_while
    from turnreel.replayer.asking import ask_again

    asked: list[Asked] = []

    async def work(base: str, stopped: asyncio.Event) -> None:
        asked.extend(await ask_again(script.exchanges, base, plan))

    sealed = record_while(
        work, url, target, dialect=script.dialect, profile="fixture" if keep_text else "strict"
    )
    click.echo(f"{sealed.records} records in {sealed.path}", err=True)
    return asked


def _row(one: Asked) -> tuple[str, ...]:
    last = one.answers[-1]
    return (
        str(one.exchange),
        f"{one.method} {one.path}",
        str(last.status or "-"),
        str(len(last.body)),
        str(last.events),
        last.ended + (f" ({len(one.answers)} requests)" if len(one.answers) > 1 else ""),
        "yes" if one.is_recorded else "no",
    )


def _told(one: Asked) -> dict[str, object]:
    return {
        "exchange": one.exchange,
        "method": one.method,
        "path": one.path,
        "as_recorded": one.is_recorded,
        "answers": [
            {
                "status": answer.status,
                "bytes": len(answer.body),
                "events": answer.events,
                "ended": answer.ended,
            }
            for answer in one.answers
        ],
    }
