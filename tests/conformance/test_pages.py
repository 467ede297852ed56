"""Reports for people: a page that needs nothing else, and Markdown; both say what was found."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from msgspec.structs import replace

from turnreel.conformance.describe import demand
from turnreel.conformance.findings import Finding, Report, Result
from turnreel.conformance.pages import as_html, as_markdown
from turnreel.conformance.reports import explain

FINDING = Finding(
    check="golden",
    clause="C2",
    message="the turn is <not> the one & only",
    remedy="look again",
    frames=("#7 +0.1s agent out result/success",),
    expected=("run", '  final "A" healthy'),
    actual=("run", '  final "<script>alert(1)</script>" healthy'),
)
REPORT = Report(
    seed=1,
    sweeps=("cut",),
    results=(
        Result(path="good.cassette.jsonl", runs=("final",), cases={"form": 1, "cut": 9}),
        Result(
            path="bad.cassette.jsonl",
            cases={"form": 1, "golden": 1},
            findings=(FINDING,),
            more={"cut": 3},
        ),
    ),
)


class Reader(HTMLParser):
    """What a page shows and loads."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str] = []
        self.text = ""
        self.marked: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.tags[-1:] == ["mark"]:
            self.marked.append(data)


def read(report: Report) -> Reader:
    reader = Reader()
    reader.feed(as_html(report).decode())
    return reader


def test_a_page_shows_every_finding_and_loads_nothing() -> None:
    page = read(REPORT)
    assert (page.loads, "script" in page.tags) == ([], False)
    for text in ("2 cassettes, 12 cases, 1 failed", FINDING.message, demand("C2"), *FINDING.frames):
        assert text in page.text
    assert 'final "<script>alert(1)</script>" healthy' in page.text
    assert "3 more findings of cut" in page.text
    assert page.marked == ['  final "A" healthy', '  final "<script>alert(1)</script>" healthy']


def test_markdown_says_the_same() -> None:
    text = as_markdown(REPORT).decode()
    assert "## 2 cassettes, 12 cases, 1 failed, seed 1" in text
    assert "| `good.cassette.jsonl` | final | ok | - | 9 |" in text
    assert f"> C2: {demand('C2')}" in text
    assert "`the turn is <not> the one & only (look again)`" in text
    assert "`bad.cassette.jsonl`: 3 more findings of cut" in text


def test_what_a_foreign_adapter_says_stays_text() -> None:
    """No fence is closed, no heading made and no terminal coloured by what was found."""
    evil = "\x1b[31m``` <img src=x onerror=alert(1)> @everyone\n```\n# heading"
    found = replace(FINDING, message=evil, actual=(evil, "````", "# heading"))
    report = replace(REPORT, results=(replace(REPORT.results[1], findings=(found,)),))
    text = as_markdown(report).decode()
    assert "\x1b" not in text
    assert not any(line.startswith(("```\n", "<img", "@")) for line in text.splitlines())
    inside = text[text.index("`````text") : text.rindex("`````")]
    assert inside.count("# heading") == 2 and text.count("\n# heading") == 1
    page = read(report)
    assert "img" not in page.tags and page.loads == []
    assert all("\x1b" not in line and "\n" not in line for line in explain(found))


@pytest.mark.parametrize("write", [as_html, as_markdown])
def test_a_report_without_findings_has_a_matrix_alone(write: object) -> None:
    good = replace(REPORT, results=REPORT.results[:1])
    text = write(good).decode()  # type: ignore[operator]
    assert "1 cassette, 10 cases, 0 failed" in text
    assert "golden" not in text
