"""``turnreel serve``: a recorded provider on a base URL."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .output import as_json, document
from .plans import REHEARSED, plan_of, plan_options

if TYPE_CHECKING:
    from turnreel.replayer.faults import Plan
    from turnreel.replayer.forwarding import Forwarder
    from turnreel.replayer.report import Report
    from turnreel.replayer.server import Server


@click.command(
    "serve",
    epilog="\b\nExamples:\n"
    "  turnreel serve broken.cassette.jsonl\n"
    "  turnreel serve broken.cassette.jsonl --port 8080 --pacing max\n"
    "  turnreel serve cassettes/ more.cassette.jsonl --strict\n"
    "  turnreel serve --forward http://127.0.0.1:8101 --fault stall:30@event=5\n"
    "  turnreel serve broken.cassette.jsonl --control 127.0.0.1:8081\n"
    "  turnreel serve broken.cassette.jsonl --fault status:429,retry-after=1\n"
    "  turnreel serve broken.cassette.jsonl --fault cut:reset@event=5 --seed 7\n"
    "  turnreel serve broken.cassette.jsonl --fault drop@type=message_stop --dry-run",
)
@click.argument("cassettes", nargs=-1, type=click.Path(path_type=Path))
@click.option("--forward", metavar="URL", help="Relay to this provider instead of playing.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=int, default=0, help="Port to listen on; a free one unless said.")
@click.option(
    "--control",
    metavar="[HOST:PORT]",
    is_flag=False,
    flag_value="127.0.0.1:0",
    help="Also listen for whoever looks at the journal or arms faults; prints that URL second.",
)
@click.option("--strict", is_flag=True, help="Exit 1 if anything asked for was not recorded.")
@plan_options
@as_json
def command(
    cassettes: tuple[Path, ...],
    forward: str | None,
    host: str,
    port: int,
    control: str | None,
    strict: bool,
    faults: tuple[str, ...],
    plan_file: Path | None,
    pacing: str | None,
    seed: int | None,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Play cassettes as the provider, with faults on request.

    CASSETTES are files, and folders of them. Prints the base URL and serves until Ctrl-C or
    SIGTERM, then says what was answered: on stderr, or with --json as a document behind the URL.
    A request that nothing recorded answers gets an error in the provider's own shape; nobody else
    is ever asked. A planned fault that did not happen is an error.

    --forward relays live traffic instead, so that the faults hit it. It records nothing: put
    turnreel proxy behind it for that.
    """
    from turnreel.conformance.discovery import cassettes_under

    plan = plan_of(faults, plan_file, pacing, seed)
    if (forward is None) is not bool(cassettes):
        raise click.UsageError("name cassettes, or a provider with --forward: one of the two")
    paths = cassettes_under(cassettes) if cassettes else ()
    if dry_run and forward is not None:
        raise click.UsageError("--dry-run is of cassettes: of live traffic nothing is known yet")
    if dry_run and as_json:
        raise click.UsageError(REHEARSED)
    if dry_run:
        from turnreel.replayer.rehearsal import rehearse_provider

        for line in rehearse_provider(paths, plan):
            click.echo(line)
        return 0
    source = paths if forward is None else forward
    tell = _document if as_json else _lines
    report = asyncio.run(_serve(source, plan, host, port, control, tell))
    return 1 if strict and report.missed else 0


def _lines(report: Report) -> None:
    for line in report.lines():
        click.echo(line, err=True)


def _document(report: Report) -> None:
    import msgspec

    document(msgspec.to_builtins(report))


async def _serve(
    source: str | tuple[Path, ...],
    plan: Plan,
    host: str,
    port: int,
    control: str | None,
    tell: Callable[[Report], None],
) -> Report:
    from turnreel.replayer.forwarding import forwarding
    from turnreel.replayer.server import serving

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with AsyncExitStack() as stack:
        server: Server | Forwarder
        if isinstance(source, str):
            relay = forwarding(source, plan, host=host, port=port)
            server = await stack.enter_async_context(relay)
        else:
            server = await stack.enter_async_context(serving(source, plan, host=host, port=port))
        urls = [server.url]
        if control is not None:
            from turnreel.recorder.doors import door
            from turnreel.replayer.control import controlled

            place = door(control)
            api = controlled(server, host=place.host, port=place.port)
            urls.append(await stack.enter_async_context(api))
        for url in urls:
            click.echo(url)
        await stop.wait()
        report = server.report()
        tell(report)
    return report
