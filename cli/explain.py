"""``turnreel explain``: why a turn came out as it did, and what a finding means."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from .output import as_json, counted, document, table
from .reading import open_for_turns
from .verify import SWEEP_NAMES

if TYPE_CHECKING:
    from turnreel.conformance.findings import Finding
    from turnreel.conformance.reasons import Explanation, Line

LINES: Final = 200
"""Lines of turns that are explained at once."""

FINDINGS: Final = 20
"""Findings that are explained at once."""

WIDTH: Final = 100
"""Characters of a line of a turn that are shown; --json has all of them."""


@click.command(
    "explain",
    epilog="\b\nExamples:\n"
    "  turnreel explain broken.cassette.jsonl\n"
    "  turnreel explain broken.cassette.jsonl --line 4      the fourth line of its .turn\n"
    "  turnreel explain broken.cassette.jsonl --run 2 --clause C1\n"
    "  turnreel explain broken.cassette.jsonl --sweep cut   and what comes of cutting it\n"
    "  turnreel conform --command 'node adapter.mjs' --report told.json\n"
    "  turnreel explain told.json                           what that found, each with its clause",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--run", type=click.IntRange(1), help="Only this run, counted from 1.")
@click.option("--line", type=click.IntRange(1), help="Only this line, as the .turn file counts.")
@click.option(
    "--clause",
    metavar="ID",
    shell_complete=lambda context, parameter, begun: _clauses(begun),
    help="Only what rests on this clause, or breaks it.",
)
@click.option(
    "--sweep",
    "sweeps",
    type=click.Choice(SWEEP_NAMES),
    multiple=True,
    help="Also change the stream so, as verify does; repeatable.",
)
@as_json
def command(
    file: Path,
    run: int | None,
    line: int | None,
    clause: str | None,
    sweeps: tuple[str, ...],
    as_json: bool,
) -> int:
    """Say why a turn came out as it did, line by line.

    FILE is a cassette: for each line of its turns, numbered as in its .turn file, the clause by
    which it stands there, and the records that caused it, numbered as turnreel show numbers them;
    beneath, what each clause demands, and the records. Then whatever does not hold: the clause, the
    records, and the expected and the actual turn side by side.

    Or FILE is a report that verify or conform wrote with --report FILE.json: then each of its
    findings is explained.

    Exit 0 whatever is found: `turnreel verify` is the judge. 2 for a mistake of the caller.
    """
    if clause is not None:
        clause = _clause(clause)
    if file.suffix == ".json":
        if run or line or sweeps:
            raise click.UsageError("a report has no --run, --line or --sweep: name a cassette")
        explanation, findings = None, _of_report(file, clause)
    else:
        open_for_turns(file)
        explanation = _explained(file, run, line, clause)
        findings = _findings(file, sweeps, clause)
    if as_json:
        document(_document(explanation, findings))
    else:
        _print(explanation, findings)
    return 0


def _clauses(begun: str) -> list[str]:
    """The clauses whose ids begin so, for a shell that completes one."""
    from turnreel.conformance.coverage import every_clause

    return [clause for clause in every_clause() if clause.startswith(begun.upper())]


def _clause(said: str) -> str:
    """The id of the clause that is meant. Raises `TurnreelError` for one that there is not."""
    from turnreel.conformance.coverage import every_clause
    from turnreel.wire.errors import TurnreelError

    if said.upper() not in every_clause():
        raise TurnreelError(f"no clause is called {said}", "docs/turn-protocol.md lists them")
    return said.upper()


def _explained(file: Path, run: int | None, line: int | None, clause: str | None) -> Explanation:
    """The lines that were asked for. Raises `TurnreelError` for a place that is not there."""
    from msgspec.structs import replace

    from turnreel.conformance.reasons import explain
    from turnreel.wire.errors import TurnreelError

    whole = explain(file)
    last = whole.lines[-1] if whole.lines else None
    runs, lines = (last.run, last.number) if last else (0, 0)
    if run is not None and run > runs:
        raise TurnreelError(f"{file}: there is no run {run}", f"it has {counted(runs, 'run')}")
    if line is not None and line > lines:
        raise TurnreelError(f"{file}: there is no line {line}", f"it has {counted(lines, 'line')}")
    chosen = tuple(
        one
        for one in whole.lines
        if run in (None, one.run) and line in (None, one.number) and clause in (None, one.clause)
    )
    return replace(whole, lines=chosen)


def _findings(file: Path, sweeps: Sequence[str], clause: str | None) -> list[tuple[str, Finding]]:
    from turnreel.conformance.examination import Task, examine
    from turnreel.conformance.findings import SWEEPS
    from turnreel.conformance.verify import DEFAULT_SEED

    chosen = tuple(sweep for sweep in SWEEPS if sweep in sweeps)
    found = examine(Task(str(file), DEFAULT_SEED, chosen)).findings
    return [(file.name, one) for one in found if clause in (None, one.clause)]


def _of_report(file: Path, clause: str | None) -> list[tuple[str, Finding]]:
    from turnreel.conformance.reports import read_report

    return [
        (result.path, finding)
        for result in read_report(file).results
        for finding in result.findings
        if clause in (None, finding.clause)
    ]


def _print(explanation: Explanation | None, findings: Sequence[tuple[str, Finding]]) -> None:
    if explanation is not None:
        _print_turns(explanation)
    for place, finding in findings[:FINDINGS]:
        click.echo()
        _print_finding(place, finding)
    if len(findings) > FINDINGS:
        click.echo(f"\n{len(findings) - FINDINGS} more findings (--clause ID says which)")
    if not findings:
        click.echo("\nnothing was found that does not hold" if explanation else "no findings")


def _document(
    explanation: Explanation | None, findings: Sequence[tuple[str, Finding]]
) -> dict[str, Any]:
    """Of JSON types; as bounded as what is printed."""
    import msgspec

    from turnreel.conformance.describe import demand

    lines = explanation.lines if explanation is not None else ()
    shown = lines[:LINES]
    return {
        "turnreel_explain": 1,
        "lines": msgspec.to_builtins(shown),
        "records": _named(explanation, shown) if explanation is not None else {},
        "findings": [
            {"path": place, "demands": demand(finding.clause), **msgspec.to_builtins(finding)}
            for place, finding in findings[:FINDINGS]
        ],
        "left_out": {
            "lines": len(lines) - len(shown),
            "findings": max(0, len(findings) - FINDINGS),
        },
    }


def _print_turns(explanation: Explanation) -> None:
    from turnreel.conformance.clauses import place

    from .show import heading

    click.echo(f"{heading(explanation.header)}\n")
    shown = explanation.lines[:LINES]
    if not shown:
        click.echo("no line of its turns is meant")
        return
    table(
        ("line", "turn", "clause", "records"),
        [(str(one.number), _clipped(one.text), one.clause, _records(one)) for one in shown],
    )
    if len(explanation.lines) > LINES:
        left = len(explanation.lines) - LINES
        click.echo(f"{left} more lines (--run, --line or --clause says which)")
    click.echo()
    demands = {one.clause: one.demands for one in shown}
    table(("clause", "demands"), [(one, demands[one]) for one in sorted(demands, key=place)])
    click.echo()
    table(("record",), [(frame,) for frame in _named(explanation, shown).values()])


def _named(explanation: Explanation, shown: Iterable[Line]) -> dict[int, str]:
    """The records that these lines name."""
    numbers = {number for line in shown for number in line.records}
    return {number: frame for number, frame in explanation.frames.items() if number in numbers}


def _records(line: Line) -> str:
    words = [f"#{number}" for number in line.records]
    if line.more:
        words.insert(len(words) // 2, f"… {line.more} more …")
    return " ".join(words) or "-"


def _print_finding(place: str, finding: Finding) -> None:
    from turnreel.cassettes.render import printable
    from turnreel.conformance.describe import demand
    from turnreel.conformance.telling import heading, remedy_of

    told = f"{place}: {heading(finding)}: {finding.message}{remedy_of(finding)}"
    click.secho(printable(told), bold=True)  # a report may come from anywhere
    if demanded := demand(finding.clause):
        click.echo(f"{finding.clause}: {demanded}")
    if finding.frames:
        click.echo()
        table(("record",), [(frame,) for frame in finding.frames])
    if finding.expected or finding.actual:
        click.echo()
        rows = _side_by_side(finding.expected, finding.actual)
        table(("expected", "actual", ""), [(*map(_clipped, sides), word) for *sides, word in rows])


def _side_by_side(expected: Sequence[str], actual: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Lines that are alike beside each other, and a word where they are not."""
    if not expected:  # events, and nothing that they could be held against
        yield from (("", line, "") for line in actual)
        return
    matcher = difflib.SequenceMatcher(None, expected, actual, autojunk=False)
    for change, i, i_end, j, j_end in matcher.get_opcodes():
        height = max(i_end - i, j_end - j)
        left, right = [*expected[i:i_end]], [*actual[j:j_end]]
        for row in range(height):
            sides = (left[row : row + 1] or [""])[0], (right[row : row + 1] or [""])[0]
            yield *sides, "" if change == "equal" else "differs"


def _clipped(text: str) -> str:
    from turnreel.cassettes.render import clip

    return clip(text, WIDTH)
