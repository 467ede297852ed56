"""``turnreel verify``: do the turns keep the contract, whatever happens to the stream."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .output import as_json, document, progress, table

if TYPE_CHECKING:
    from turnreel.conformance.findings import Check, Report, Result

SWEEP_NAMES = ("tracks", "cut", "cancel", "duplicate", "prefix", "rechunk")


@click.command(
    "verify",
    epilog="\b\nExamples:\n"
    "  turnreel verify                              what pyproject.toml names, or ./cassettes\n"
    "  turnreel verify broken.cassette.jsonl\n"
    "  turnreel verify tests/cassettes --report report.xml\n"
    "  turnreel verify --accept broken.cassette.jsonl",
)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--accept", "accepting", is_flag=True, help="Write the turn as it now comes out.")
@click.option(
    "--report",
    "report_files",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    help="Also write FILE.json, .xml (JUnit), .html or .md; repeatable.",
)
@click.option(
    "--sweep",
    "sweeps",
    type=click.Choice((*SWEEP_NAMES, "none")),
    multiple=True,
    help="Only these sweeps; all of them unless said.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Chooses sampled places.")
@click.option("--jobs", type=click.IntRange(1), default=2, show_default=True, help="Processes.")
@as_json
def command(
    paths: tuple[Path, ...],
    accepting: bool,
    report_files: tuple[Path, ...],
    sweeps: tuple[str, ...],
    seed: int,
    jobs: int,
    as_json: bool,
) -> int:
    """Check every cassette against the contract and its golden.

    Each cassette is read, translated, compared with the .turn file beside it, and translated again
    cut, cancelled, doubled and re-chunked at every frame. Exit 1 if anything does not hold.

    --accept writes the .turn files of the PATHS and prints what changed; it refuses in CI.
    """
    from turnreel.conformance.reports import as_document
    from turnreel.conformance.verify import verify

    chosen = paths or configured(Path.cwd())
    if accepting:
        return _accept(chosen)
    writers = writers_of(report_files)
    with progress("verify") as moved:
        report = verify(chosen, seed=seed, jobs=jobs, sweeps=_checks(sweeps), on_progress=moved)
    write_all(report, writers)
    if as_json:
        document(as_document(report))
    else:
        print_report(report)
    return 0 if report.ok else 1


def configured(folder: Path) -> tuple[Path, ...]:
    """The paths that ``[tool.turnreel] cassettes`` of `folder`'s pyproject.toml names, else
    ./cassettes.
    """
    from turnreel.conformance.project import cassette_places

    return cassette_places(folder)


def writers_of(files: Sequence[Path]) -> dict[Path, Callable[[Report], bytes]]:
    """How each report is written. Raises `TurnreelError` for a name that says nothing of it: asked
    before the work is done.
    """
    return {file: _writer(file) for file in files}


def write_all(report: Report, writers: Mapping[Path, Callable[[Report], bytes]]) -> None:
    """Write the report in every form that was asked for."""
    for file, writer in writers.items():
        _write(file, writer(report))


def _write(file: Path, data: bytes) -> None:
    """Write a report: the whole of it, or nothing and an error that names the file."""
    from turnreel.wire.errors import TurnreelError

    part = file.with_name(f"{file.name}.part")
    try:
        part.write_bytes(data)
        part.replace(file)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        reason = (error.strerror or str(error)).lower()
        raise TurnreelError(f"{file}: {reason}", "choose a place that can be written") from error


def _checks(names: Sequence[str]) -> tuple[Check, ...]:
    from turnreel.conformance.findings import SWEEPS

    return tuple(sweep for sweep in SWEEPS if not names or sweep in names)


def _accept(paths: Sequence[Path]) -> int:
    from turnreel.conformance.verify import accept

    for accepted in accept(paths):
        click.echo(f"{accepted.golden}: {accepted.state}")
        if accepted.difference:
            click.echo(accepted.difference.rstrip("\n"))
    return 0


def print_report(report: Report) -> None:
    """The report for a person: a table, then every finding."""
    print_cassettes(report.results)
    print_findings(report)


def print_cassettes(results: Sequence[Result]) -> None:
    """A row for each cassette, a column for each check."""
    from turnreel.conformance.telling import cell, checks

    shown = checks(results)
    table(
        ("cassette", "runs", *shown),
        [
            (_name(one.path), " ".join(one.runs) or "-", *(cell(one, check) for check in shown))
            for one in results
        ],
    )


def print_findings(report: Report) -> None:
    """Every finding for a person, and the report in one line."""
    from turnreel.conformance.reports import explain
    from turnreel.conformance.telling import more, summary

    for result in report.results:
        if result.expected:
            click.echo(f"\n{result.path}: fails, as expected: {result.expected}")
            continue
        for finding in result.findings:
            first, *details = explain(finding)
            click.echo(f"\n{result.path}: {first}")
            for line in details:
                click.echo(line)
        for line in more(result):
            click.echo(f"{result.path}: {line}")
    click.echo(f"\n{summary(report)}, {report.seconds:.1f} s")


def _name(path: str) -> str:
    return Path(path).name.removesuffix(".zst").removesuffix(".cassette.jsonl")


def _writer(file: Path) -> Callable[[Report], bytes]:
    """How the report of this name is written."""
    from turnreel.conformance.pages import as_html, as_markdown
    from turnreel.conformance.reports import as_json, as_junit
    from turnreel.wire.errors import TurnreelError

    match file.suffix:
        case ".json":
            return as_json
        case ".xml":
            return as_junit
        case ".html":
            return as_html
        case ".md":
            return as_markdown
        case _:
            raise TurnreelError(f"{file}: a report is .json, .xml, .html or .md", "name it so")
