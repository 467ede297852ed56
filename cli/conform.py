"""``turnreel conform``: adapters held against scenarios, or one process against recordings."""

from __future__ import annotations

import time
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .output import as_json, document, progress, table
from .verify import configured, print_cassettes, print_findings, write_all, writers_of

if TYPE_CHECKING:
    from turnreel.conformance.findings import Report


@click.command(
    "conform",
    epilog="\b\nExamples:\n"
    "  turnreel conform                                        every adapter, every scenario\n"
    "  turnreel conform --dialect codex-exec --scenario retried\n"
    "  turnreel conform --generate 1000 --seed 7\n"
    "  turnreel conform --qualify --record release.md\n"
    "  turnreel conform --command 'node adapter.mjs' --dialect claude-stream-json library\n"
    "  turnreel conform --command 'turnreel translate --lockstep' tests/cassettes",
)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--command", "command_line", metavar="COMMAND", help="An adapter of its own; no shell."
)
@click.option("--dialect", "dialects", multiple=True, help="Only this one; repeatable.")
@click.option(
    "--scenario", "scenarios", multiple=True, help="Only this one, by id or file; repeatable."
)
@click.option(
    "--generate",
    "examples",
    type=click.IntRange(1, 100_000),
    metavar="N",
    help="Draw N turns and storms for each dialect instead, by --seed.",
)
@click.option(
    "--expected",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file of failures that are known, each with reason and URL.",
)
@click.option("--qualify", "qualifying", is_flag=True, help="Write the evidence of what passed.")
@click.option(
    "--record",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the hand-off of a release, in Markdown.",
)
@click.option(
    "--patience",
    type=click.FloatRange(0.1, 600),
    default=10.0,
    show_default=True,
    help="Seconds an answer of COMMAND may take.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Chooses sampled places.")
@click.option("--jobs", type=click.IntRange(1), default=2, show_default=True, help="Processes.")
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
    command_line: str | None,
    dialects: tuple[str, ...],
    scenarios: tuple[str, ...],
    examples: int | None,
    expected: Path | None,
    qualifying: bool,
    record: Path | None,
    patience: float,
    seed: int,
    jobs: int,
    report_files: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Hold adapters against the contract.

    Without --command every scenario is played in every dialect, landed as a cassette, and swept:
    the same turn must come out everywhere, but for what a dialect declares that it cannot tell.

    With --command an adapter in any language is started once and asked in lock step: one JSON
    object a line each way, described in docs/lockstep.md. Every recording at PATHS is played
    through it, and then every scenario, scripted in the dialects that --dialect names, else in
    those of the recordings; each is begun anew, delivered twice, and cut. With --scenario, or
    where there are neither PATHS nor configured cassettes, scenarios are played alone.

    Exit 0 if everything holds, 1 if anything does not, 2 for a mistake of the caller.
    """
    from turnreel.conformance.reports import as_document
    from turnreel.wire.errors import TurnreelError

    writers = writers_of(report_files)
    if command_line is not None:
        if examples or qualifying or record:
            raise TurnreelError(
                "--generate, --qualify and --record are for adapters of this installation",
                "leave out --command, or those",
            )
        report = _foreign(command_line, paths, dialects, scenarios, expected, patience)
    elif paths:
        raise TurnreelError("PATHS are for --command", "turnreel verify takes them")
    elif examples is not None:
        if scenarios or expected or qualifying or record:
            raise TurnreelError("drawn turns are no scenarios", "leave out one or the other")
        report = _drawn(dialects, examples, seed)
    else:
        report = _scenarios(dialects, scenarios, expected, seed, jobs)
    write_all(report, writers)
    if as_json:
        document(as_document(report))
    elif command_line is not None:
        _print_both(report)
    else:
        _print_matrix(report)
    if qualifying:
        _qualify(report)
    if record is not None:
        _record(record, report)
    return 0 if report.ok else 1


def _foreign(
    command_line: str,
    paths: tuple[Path, ...],
    dialects: tuple[str, ...],
    scenarios: tuple[str, ...],
    expected: Path | None,
    patience: float,
) -> Report:
    from tempfile import TemporaryDirectory

    from turnreel.conformance import expected as known
    from turnreel.conformance.child import argv_of
    from turnreel.conformance.conforming import SWEEPS, conform
    from turnreel.conformance.findings import Report
    from turnreel.conformance.parts import recorded, scripted, written
    from turnreel.conformance.scenarios import scenarios_of
    from turnreel.wire.errors import TurnreelError

    argv = argv_of(command_line)
    failures = known.read(expected) if expected is not None else ()
    chosen = _recordings(paths, scenarios)
    spoken = dialects or written(chosen)
    total = len(chosen) + len(spoken) * len(scenarios_of(scenarios))
    if not spoken and not chosen:
        raise TurnreelError(
            "without recordings nothing says which dialect COMMAND reads",
            "name a --dialect, or PATHS with recordings",
        )
    started = time.perf_counter()
    with progress("conform") as moved, TemporaryDirectory(prefix="turnreel-") as folder:
        parts = chain(recorded(chosen, dialects), scripted(spoken, scenarios, Path(folder)))
        results = tuple(conform(argv, parts, patience, lambda done: moved(done, total)))
    if not results:
        raise TurnreelError(
            "nothing of that dialect can be played",
            "name another --dialect, or PATHS with recordings of it",
        )
    seconds = time.perf_counter() - started
    return known.apply(Report(seed=0, sweeps=SWEEPS, results=results, seconds=seconds), failures)


def _recordings(paths: tuple[Path, ...], scenarios: tuple[str, ...]) -> tuple[Path, ...]:
    """The cassettes to play beside the scenarios: those at PATHS, else the project's, if it has
    any; none where scenarios are asked for by name.
    """
    from turnreel.conformance.discovery import cassettes_under

    if paths:
        return cassettes_under(paths)
    if scenarios:
        return ()
    places = configured(Path.cwd())
    return cassettes_under(places) if any(place.exists() for place in places) else ()


def _scenarios(
    dialects: tuple[str, ...],
    scenarios: tuple[str, ...],
    expected: Path | None,
    seed: int,
    jobs: int,
) -> Report:
    from turnreel.conformance import expected as known
    from turnreel.conformance.qualifying import qualify, with_turns

    failures = known.read(expected) if expected is not None else ()
    with progress("conform") as moved:
        report = qualify(
            dialects or with_turns(), scenarios, seed=seed, jobs=jobs, on_progress=moved
        )
    return known.apply(report, failures)


def _drawn(dialects: tuple[str, ...], examples: int, seed: int) -> Report:
    from turnreel.conformance.findings import Report
    from turnreel.conformance.generated import try_laws
    from turnreel.conformance.qualifying import with_turns

    started = time.perf_counter()
    results = try_laws(dialects or with_turns(), examples, seed)
    seconds = time.perf_counter() - started
    return Report(seed=seed, sweeps=(), results=results, seconds=seconds)


def _print_both(report: Report) -> None:
    """Recordings and scenarios, each as far as there are any."""
    from turnreel.conformance.matrix import LEGEND, columns, rows
    from turnreel.conformance.telling import cassettes

    if recorded := cassettes(report):
        print_cassettes(recorded)
    if dialects := columns(report):
        if recorded:
            click.echo()
        table(("scenario", *dialects), rows(report))
        click.echo(f"\n{LEGEND}")
    print_findings(report)


def _print_matrix(report: Report) -> None:
    from turnreel.conformance.matrix import LEGEND, columns, rows

    table(("scenario", *columns(report)), rows(report))
    click.echo(f"\n{LEGEND}")
    print_findings(report)


def _qualify(report: Report) -> None:
    """Verify the recordings of every dialect that was asked of, and write what passed as evidence.
    Whatever does not pass is an error, and nothing is written for it.
    """
    from turnreel.conformance.evidencing import evidence_of, recordings, write
    from turnreel.conformance.matrix import columns
    from turnreel.conformance.verify import verify

    for dialect in columns(report):
        kept = recordings(dialect)
        verified = verify(kept, jobs=2) if kept else None
        target = write(evidence_of(dialect, report, verified))
        click.echo(f"{dialect}: qualified, {target.name} is written", err=True)


def _record(target: Path, report: Report) -> None:
    import shlex
    import sys

    from turnreel.conformance.handoff import as_markdown

    called = shlex.join(["turnreel", *sys.argv[1:]])
    write_all(report, {target: lambda told: as_markdown(told, [called], Path.cwd())})
