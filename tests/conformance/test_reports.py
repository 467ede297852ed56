"""Reports: JSON of a stable shape, JUnit that readers of JUnit accept, findings in plain lines."""

from __future__ import annotations

import json
from xml.etree import ElementTree as xml

from turnreel.conformance.findings import Finding, Report, Result
from turnreel.conformance.reports import as_json, as_junit, explain

FINDING = Finding(
    check="cut",
    clause="T4",
    message="no terminal \x1b[31m<here>",
    remedy="look",
    run_id="s.1",
    place=7,
    seed=3,
    frames=("#7 agent out result",),
    expected=("run",),
    actual=("run", "  open"),
)
REPORT = Report(
    seed=3,
    sweeps=("cut",),
    results=(
        Result(path="a.cassette.jsonl", cases={"form": 1, "golden": 1, "cut": 9}, runs=("final",)),
        Result(path="b.cassette.jsonl", cases={"form": 1, "cut": 9}, findings=(FINDING,)),
    ),
    seconds=1.23456,
)


def test_json_has_a_version_and_every_field() -> None:
    document = json.loads(as_json(REPORT))
    assert document["turnreel_report"] == 1
    assert (document["ok"], document["seed"], document["seconds"]) == (False, 3, 1.235)
    one, other = document["results"]
    assert (one["ok"], other["ok"]) == (True, False)
    assert other["findings"][0]["frames"] == ["#7 agent out result"]
    assert one["cases"] == {"form": 1, "golden": 1, "cut": 9}


def test_junit_has_a_case_for_each_check_and_the_failure_in_full() -> None:
    total = xml.fromstring(as_junit(REPORT))
    assert (total.get("tests"), total.get("failures"), total.get("time")) == ("5", "1", "1.235")
    suites = total.findall("testsuite")
    assert [suite.get("name") for suite in suites] == ["a.cassette.jsonl", "b.cassette.jsonl"]
    assert [case.get("name") for case in suites[0]] == ["form", "golden", "cut"]
    (failure,) = suites[1].iter("failure")
    assert failure.get("message") == "no terminal \ufffd[31m<here>"
    assert "#7 agent out result" in (failure.text or "")


def test_a_finding_is_explained_in_lines() -> None:
    assert list(explain(FINDING)) == [
        "cut T4 at record 7 seed 3: no terminal \\x1b[31m<here> (look)",
        "  frames",
        "    #7 agent out result",
        "  expected",
        "    run",
        "  actual",
        "    run",
        "      open",
    ]


def test_a_report_of_nothing_is_not_ok() -> None:
    assert not Report(seed=1, sweeps=(), results=()).ok
