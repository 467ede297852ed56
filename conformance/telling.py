"""What every form of a report says alike, whatever it is written in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .findings import CHECKS, Check, Finding, Report, Result


def summary(report: Report) -> str:
    """The report in one line."""
    failed = sum(not result.ok for result in report.results)
    cases = sum(sum(result.cases.values()) for result in report.results)
    recorded = len(cassettes(report))
    played = len(report.results) - recorded
    counted = [_counted(recorded, "cassette")] if recorded or not played else []
    counted += [_counted(played, "turn")] if played else []
    head = ", ".join((*counted, _counted(cases, "case")))
    return f"{head}, {failed} failed, seed {report.seed}"


def cassettes(report: Report) -> tuple[Result, ...]:
    """The results of recordings: the others are of turns that were scripted."""
    return tuple(result for result in report.results if not result.scenario)


def checks(results: Sequence[Result]) -> tuple[Check, ...]:
    """The checks of which anything was tried or found."""
    tried = {check for result in results for check in result.cases}
    tried |= {finding.check for result in results for finding in result.findings}
    return tuple(check for check in CHECKS if check in tried)


def cell(result: Result, check: Check) -> str:
    """What came of one check on one cassette: ``ok``, how many cases, or how many failed."""
    found = sum(finding.check == check for finding in result.findings) + result.more.get(check, 0)
    tried = result.cases.get(check, 0)
    if found:
        return f"failed {found}/{tried}" if tried else "failed"
    return str(tried) if tried > 1 else "ok" if tried else "-"


def heading(finding: Finding) -> str:
    """A finding's check, clause and place."""
    place = f"at record {finding.place}" if finding.place is not None else ""
    seed = f"seed {finding.seed}" if finding.seed is not None else ""
    return " ".join(part for part in (finding.check, finding.clause, place, seed) if part)


def remedy_of(finding: Finding) -> str:
    """What may be done, in brackets."""
    return f" ({finding.remedy})" if finding.remedy else ""


def sides(finding: Finding) -> Iterable[tuple[str, Sequence[str]]]:
    """The evidence of a finding: frames and turns, as far as there are any."""
    sides = (
        ("frames", finding.frames),
        ("expected", finding.expected),
        ("actual", finding.actual),
    )
    return [(title, lines) for title, lines in sides if lines]


def more(result: Result) -> Iterator[str]:
    """What was found beyond what is listed."""
    for check, count in result.more.items():
        yield f"{count} more findings of {check}"


def _counted(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number} {what}s"
