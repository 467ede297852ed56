"""``turnreel conform``: an adapter held against recordings."""

from __future__ import annotations

import time
from pathlib import Path

import click

from .output import as_json, document, progress
from .verify import configured, print_report, write_all, writers_of


@click.command(
    "conform",
    epilog="\b\nExamples:\n"
    "  turnreel conform --command 'node adapter.mjs' --dialect claude-stream-json library\n"
    "  turnreel conform --command 'python adapter.py' tests/cassettes --report conform.xml\n"
    "  turnreel conform --command 'turnreel translate --lockstep' tests/cassettes",
)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--command", "command_line", required=True, metavar="COMMAND", help="The adapter; no shell."
)
@click.option("--dialect", "dialects", multiple=True, help="Only recordings of it; repeatable.")
@click.option(
    "--patience",
    type=click.FloatRange(0.1, 600),
    default=10.0,
    show_default=True,
    help="Seconds an answer may take.",
)
@click.option(
    "--report",
    "report_files",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write FILE.json, .xml (JUnit), .html or .md; repeatable.",
)
@as_json
def command(
    paths: tuple[Path, ...],
    command_line: str,
    dialects: tuple[str, ...],
    patience: float,
    report_files: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Hold an adapter in any language against recordings.

    COMMAND is started once and asked in lock step: one JSON object a line each way, described in
    docs/lockstep.md. Every recording at PATHS is played through it, delivered twice, and cut; its
    events are judged by the contract and its turn by the .turn file beside the cassette. Exit 0 if
    everything holds, 1 if anything does not, 2 for a mistake of the caller.
    """
    from turnreel.conformance.child import argv_of
    from turnreel.conformance.conforming import conform
    from turnreel.conformance.discovery import cassettes_under
    from turnreel.conformance.findings import Report
    from turnreel.conformance.reports import as_document
    from turnreel.wire.errors import TurnreelError

    argv = argv_of(command_line)
    writers = writers_of(report_files)
    chosen = cassettes_under(paths or configured(Path.cwd()))
    started = time.perf_counter()
    with progress("conform") as moved:
        results = tuple(conform(argv, chosen, frozenset(dialects), patience, moved))
    if not results:
        raise TurnreelError("no recording of that dialect", "name another --dialect or PATHS")
    seconds = time.perf_counter() - started
    report = Report(seed=0, sweeps=("cut", "duplicate"), results=results, seconds=seconds)
    write_all(report, writers)
    if as_json:
        document(as_document(report))
    else:
        print_report(report)
    return 0 if report.ok else 1
