"""Reports for people who were not there: a page of HTML that needs nothing else, and Markdown.

Both hold sanitized evidence alone: names of cassettes, clauses and what they demand, one-line
summaries of frames, and turns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from turnreel.cassettes.render import printable
from turnreel.lifecycle.describe import table

from .describe import demand
from .findings import Report, Result
from .matrix import LEGEND, columns, rows, word
from .telling import cassettes, cell, checks, heading, more, remedy_of, sides, summary

STYLE: Final = """
:root { color-scheme: light dark; --ok: #1a7f37; --bad: #cf222e; --line: #8884; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
table { border-collapse: collapse; font-size: 13px; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .6rem; text-align: left; }
td.ok { color: var(--ok); } td.failed { color: var(--bad); font-weight: 600; }
article { border: 1px solid var(--line); border-radius: 6px; margin: 1rem 0; padding: .5rem 1rem; }
.sides { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); }
pre { background: #8881; border-radius: 4px; font-size: 12.5px; margin: .3rem 0; overflow-x: auto;
      padding: .6rem; }
mark { background: #f2c94c66; color: inherit; }
"""


def as_html(report: Report) -> bytes:
    """The report as one page, UTF-8: a matrix of cassettes and checks, then every finding with its
    clause, the frames, and both turns side by side. Nothing in it is loaded from elsewhere.
    """
    failed = [result for result in report.results if not result.ok]
    body = [
        f"<h1>{escape(summary(report))}</h1>",
        *_matrices(report),
        *(part for result in failed for part in _details(result)),
    ]
    head = f"<meta charset=utf-8><title>turnreel</title><style>{STYLE}</style>"
    page = f"<!doctype html><html lang=en><head>{head}</head><body>{''.join(body)}</body></html>"
    return page.encode("utf-8", "replace")


def as_markdown(report: Report) -> bytes:
    """The report as Markdown, UTF-8: the same, for a pull request or a job's summary."""
    parts = [f"## {summary(report)}", *_tables(report)]
    for result in report.results:
        for finding in result.findings:
            parts.append(f"### {_code(result.path)}: {heading(finding)}")
            parts.append(_code(printable(f"{finding.message}{remedy_of(finding)}")))
            if told := demand(finding.clause):
                parts.append(f"> {finding.clause}: {told}")
            for title, lines in sides(finding):
                parts.append(f"{title}\n{_fenced(lines)}")
        parts += [f"{_code(result.path)}: {line}" for line in more(result)]
    return ("\n\n".join(parts) + "\n").encode("utf-8", "replace")


def _tables(report: Report) -> Iterator[str]:
    """The matrices of what was played, and of cassettes and checks, as far as there are any."""
    recorded = cassettes(report)
    shown = checks(recorded)
    if recorded:
        yield table(
            ("cassette", "runs", *shown),
            [
                (_code(one.path), " ".join(one.runs) or "-", *(cell(one, check) for check in shown))
                for one in recorded
            ],
        )
    if dialects := columns(report):
        yield table(("scenario", *dialects), rows(report))
        yield LEGEND
        if excuses := [*_excuses(report)]:
            yield "\n".join(f"- {_code(place)}: {excuse}" for place, excuse in excuses)


def _excuses(report: Report) -> Iterator[tuple[str, str]]:
    """What was not asked of, or is known to fail, and why."""
    for result in report.results:
        if excuse := result.skipped or result.expected:
            yield result.path, f"{word(result)}: {excuse}"


def _matrices(report: Report) -> Iterator[str]:
    if recorded := cassettes(report):
        yield _of_cassettes(recorded)
    if dialects := columns(report):
        yield _of_scenarios(report, dialects)


def _of_cassettes(recorded: Sequence[Result]) -> str:
    shown = checks(recorded)
    head = "".join(f"<th scope=col>{escape(one)}" for one in ("cassette", "runs", *shown))
    rows = []
    for result in recorded:
        cells = (cell(result, check) for check in shown)
        told = "".join(f"<td class='{_class(one)}'>{escape(one)}" for one in cells)
        runs = escape(" ".join(result.runs) or "-")
        rows.append(f"<tr><th scope=row>{escape(result.path)}<td>{runs}{told}")
    return f"<table><thead><tr>{head}</thead><tbody>{''.join(rows)}</tbody></table>"


def _of_scenarios(report: Report, dialects: Sequence[str]) -> str:
    head = "".join(f"<th scope=col>{escape(one)}" for one in ("scenario", *dialects))
    body = []
    for name, *told in rows(report):
        cells = "".join(f"<td class='{_class(one)}'>{escape(one)}" for one in told)
        body.append(f"<tr><th scope=row>{escape(name)}{cells}")
    excuses = (f"<li>{escape(place)}: {escape(why)}" for place, why in _excuses(report))
    return (
        f"<table><thead><tr>{head}</thead><tbody>{''.join(body)}</tbody></table>"
        f"<p>{escape(LEGEND)}</p><ul>{''.join(excuses)}</ul>"
    )


def _class(told: str) -> str:
    return "failed" if told.startswith("failed") else "none" if told == "-" else "ok"


def _details(result: Result) -> Iterator[str]:
    yield f"<h2>{escape(result.path)}</h2>"
    for finding in result.findings:
        yield f"<article><h3>{escape(heading(finding))}</h3>"
        yield f"<p>{escape(finding.message)}{escape(remedy_of(finding))}</p>"
        if told := demand(finding.clause):
            yield f"<blockquote>{escape(finding.clause)}: {escape(told)}</blockquote>"
        if finding.frames:
            yield f"<h4>Frames</h4><pre>{_lines(finding.frames, ())}</pre>"
        if finding.expected or finding.actual:
            yield "<div class=sides>"
            for title, side, other in (
                ("Expected", finding.expected, finding.actual),
                ("Actual", finding.actual, finding.expected),
            ):
                yield f"<div><h4>{title}</h4><pre>{_lines(side, other)}</pre></div>"
            yield "</div>"
        yield "</article>"
    for line in more(result):
        yield f"<p>{escape(line)}</p>"


def _lines(lines: Sequence[str], other: Sequence[str]) -> str:
    """Lines of text; those that the other side does not have are marked."""
    told = []
    for line in lines:
        shown = escape(line)
        told.append(f"<mark>{shown}</mark>" if other and line not in other else shown)
    return "\n".join(told)


def _fenced(lines: Sequence[str]) -> str:
    """Lines as they are: no run of marks in them closes the fence."""
    text = "\n".join(map(printable, lines))
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


def _code(text: str) -> str:
    return f"`{text.replace('`', chr(39))}`"
