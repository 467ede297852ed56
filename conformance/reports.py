"""Reports for programs: JSON of a stable shape, and JUnit XML for whatever shows test results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as xml

import msgspec
from msgspec import structs

from turnreel.cassettes.render import printable

from .errors import ConformanceError
from .findings import CHECKS, Check, Finding, Report, Result
from .telling import heading, remedy_of, sides

VERSION: Final = 1
"""Of the JSON report. It only grows: fields are added, none changes its meaning."""

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class ResultDocument(Result, frozen=True, kw_only=True):
    """A result, and whether everything held."""

    ok: bool


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """The JSON report. `turnreel_report` is its version."""

    turnreel_report: int
    ok: bool
    seed: int
    sweeps: tuple[Check, ...]
    seconds: float
    results: tuple[ResultDocument, ...]


def as_document(report: Report) -> dict[str, Any]:
    """The report as JSON types."""
    document = Document(
        turnreel_report=VERSION,
        ok=report.ok,
        seed=report.seed,
        sweeps=report.sweeps,
        seconds=round(report.seconds, 3),
        results=tuple(
            ResultDocument(ok=result.ok, **structs.asdict(result)) for result in report.results
        ),
    )
    written: dict[str, Any] = msgspec.to_builtins(document)
    return written


def as_json(report: Report) -> bytes:
    """The report as an indented JSON document, UTF-8."""
    return msgspec.json.format(msgspec.json.encode(as_document(report)), indent=2) + b"\n"


def read_report(path: Path) -> Document:
    """The report that `as_json` wrote at `path`. Raises `ConformanceError` for what is none."""
    remedy = "verify and conform write one with --report FILE.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=Document)
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise ConformanceError(f"{path}: {reason}", remedy) from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise ConformanceError(f"{path}: no report of turnreel: {error}", remedy) from None


def report_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the JSON report, made from the definitions above."""
    return msgspec.json.schema(Document)


def as_junit(report: Report) -> bytes:
    """The report as JUnit XML: a suite for each cassette, a case for each check that was tried."""
    suites = [_suite(result) for result in report.results]
    total = xml.Element(
        "testsuites",
        name="turnreel verify",
        tests=str(sum(len(suite.findall("testcase")) for suite in suites)),
        failures=str(sum(int(suite.get("failures", "0")) for suite in suites)),
        time=f"{report.seconds:.3f}",
    )
    total.extend(suites)
    xml.indent(total)
    written: bytes = xml.tostring(total, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def explain(finding: Finding) -> Iterator[str]:
    """The finding as printable lines for a person, the first of them a summary."""
    yield printable(f"{heading(finding)}: {finding.message}{remedy_of(finding)}")
    for title, lines in sides(finding):
        yield f"  {title}"
        yield from (f"    {printable(line)}" for line in lines)


def _suite(result: Result) -> xml.Element:
    if excuse := result.skipped or result.expected:
        return _excused(result, excuse)
    tried = [check for check in CHECKS if result.cases.get(check) or _of(result, check)]
    suite = xml.Element(
        "testsuite",
        name=_clean(result.path),
        tests=str(len(tried)),
        failures=str(sum(1 for check in tried if _of(result, check))),
    )
    for check in tried:
        case = xml.SubElement(suite, "testcase", classname=_clean(result.path), name=check)
        if found := _of(result, check):
            failure = xml.SubElement(case, "failure", message=_clean(found[0].message))
            failure.text = _clean("\n".join(line for one in found for line in explain(one)))
    return suite


def _excused(result: Result, excuse: str) -> xml.Element:
    """A suite of one case that was not asked of: no frame for it, or known to fail."""
    name = _clean(result.path)
    suite = xml.Element("testsuite", name=name, tests="1", failures="0", skipped="1")
    case = xml.SubElement(suite, "testcase", classname=name, name="scenario")
    xml.SubElement(case, "skipped", message=_clean(excuse))
    return suite


def _of(result: Result, check: Check) -> list[Finding]:
    return [finding for finding in result.findings if finding.check == check]


def _clean(text: str) -> str:
    """What XML 1.0 can hold of `text`."""
    return _NOT_XML.sub("\ufffd", text)
