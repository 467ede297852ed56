"""The gate: every scenario in every dialect, requirements that are frozen, failures that are known,
evidence that is of what is here (Q1, Q3, Q4).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from turnreel.adapters import evidence, registry
from turnreel.adapters.evidence import SET
from turnreel.conformance import expected, matrix
from turnreel.conformance.checkers import watches
from turnreel.conformance.coverage import every_clause
from turnreel.conformance.errors import ConformanceError
from turnreel.conformance.evidencing import evidence_of, stale
from turnreel.conformance.expected import Failure
from turnreel.conformance.findings import Finding, Report
from turnreel.conformance.pages import as_html, as_markdown
from turnreel.conformance.qualifying import Trial, attempt, qualify, with_turns
from turnreel.conformance.reports import as_document, as_junit
from turnreel.conformance.requirements import frozen, present

KNOWN = Failure("codex-exec", "retried", "prose", "https://example.org/1")


@pytest.fixture(scope="module")
def played() -> Report:
    return qualify(with_turns(), jobs=1, sweeps=())


def test_every_dialect_passes_every_scenario(played: Report) -> None:
    assert [(one.path, one.findings) for one in played.results if one.findings] == []
    assert matrix.columns(played) == with_turns()
    assert len(matrix.rows(played)) == len(frozen().scenarios)


def test_a_skip_has_the_reason_that_is_declared(played: Report) -> None:
    skipped = [one for one in played.results if one.skipped]
    assert skipped
    for one in skipped:
        claims = registry.adapter(one.dialects[0]).info.claims
        assert claims is not None
        assert all(claims.of(subject).why in one.skipped for subject in one.limits)  # type: ignore[arg-type]


def test_the_requirements_are_as_they_were_written_down() -> None:
    """Whoever changes a scenario writes down another set."""
    assert present() == frozen()


def test_a_later_set_drops_and_weakens_nothing_unseen() -> None:
    """What changed since the first set is named here; what was required then still is."""
    first, last = ({one.id: one for one in frozen(number).scenarios} for number in (1, SET))
    assert (frozen(1).set, frozen().set) == (1, SET)
    assert set(first) <= set(last)
    changed = {name for name in first if first[name] != last[name]}
    assert changed == {"parked-and-continued", "several-tools"}


def test_every_scenario_is_about_clauses_of_the_contract() -> None:
    for one in frozen().scenarios:
        assert one.clauses
        assert set(one.clauses) <= set(every_clause())
        assert one.requirement.endswith(".")
    assert {watch.clause for watch in watches()} <= set(every_clause())


@pytest.mark.parametrize("dialect", with_turns())
def test_the_shipped_evidence_is_of_what_is_here(dialect: str) -> None:
    """Whoever changes an adapter, a scenario or a recording runs `turnreel conform --qualify`."""
    assert stale(dialect) == ""


def test_who_is_enabled() -> None:
    states = {one.dialect: one.state for one in registry.standings()}
    for dialect in registry.FOLDERS:
        tier = registry.adapter(dialect).info.tier
        assert states[dialect] == {"primary": "enabled"}.get(tier, tier)
    assert set(registry.enabled()) >= set(with_turns())


def test_a_changed_adapter_is_refused() -> None:
    found = evidence.read(registry.package("codex-exec"))
    assert found is not None
    code, versions = found.code, found.versions
    told = {
        "none": evidence.refusal(None, "codex-exec", versions, code),
        "another's": evidence.refusal(found, "codex-app-server", versions, code),
        "code": evidence.refusal(found, "codex-exec", versions, "0" * 16),
        "agent": evidence.refusal(found, "codex-exec", ("9.9",), code),
        "set": evidence.refusal(replace(found, set=SET - 1), "codex-exec", versions, code),
        "contract": evidence.refusal(
            replace(found, contract="turn/0"), "codex-exec", versions, code
        ),
    }
    assert all(told.values())
    assert len(set(told.values())) == len(told)
    assert evidence.refusal(found, "codex-exec", versions, code) == ""


def test_the_digest_is_of_the_code_and_not_of_line_ends() -> None:
    texts = evidence.texts(registry.package("hermes-runs"))
    assert "turnreel.adapters.hermes.speech" in texts
    assert "turnreel.adapters.hermes_runs.policy" in texts
    windows = {name: text.replace("\n", "  \r\n") for name, text in texts.items()}
    assert evidence.digest(windows) == evidence.digest(texts)
    changed = {**texts, "turnreel.adapters.hermes.speech": "pass"}
    assert evidence.digest(changed) != evidence.digest(texts)


def test_only_what_passes_everything_is_qualified(played: Report) -> None:
    one = played.results[0]
    dialect = one.dialects[0]
    missing = replace(played, results=played.results[1:])
    with pytest.raises(ConformanceError, match=f"was not asked for {one.scenario}"):
        evidence_of(dialect, missing, None)
    wrong = replace(one, findings=(Finding(check="scenario", message="x"),), expected="known")
    with pytest.raises(ConformanceError, match=f"fails {one.path}"):
        evidence_of(dialect, replace(played, results=(wrong, *played.results[1:])), None)
    assert evidence_of(dialect, played, None).counts.recordings == 0


def test_a_known_failure_fails_nothing_and_is_shown() -> None:
    result = attempt(Trial("codex-exec", "retried", 1, ()))
    wrong = replace(result, findings=(Finding(check="scenario", message="x"),))
    report = Report(seed=1, sweeps=(), results=(wrong,))
    assert not report.ok
    known = expected.apply(report, [KNOWN])
    assert known.ok
    assert matrix.rows(known) == [("retried", "known")]
    for page in (as_markdown(known), as_html(known), as_junit(known)):
        assert b"prose (https://example.org/1)" in page
    assert as_document(known)["results"][0]["expected"] == "prose (https://example.org/1)"


def test_a_stale_known_failure_fails() -> None:
    report = Report(seed=1, sweeps=(), results=(attempt(Trial("codex-exec", "retried", 1, ())),))
    told = expected.apply(report, [KNOWN])
    assert not told.ok
    assert [finding.clause for finding in told.results[0].findings] == ["Q4"]
    elsewhere = replace(KNOWN, dialect="hermes-runs")
    assert expected.apply(report, [elsewhere]) == report


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[[failure]]\ndialect = 'd'", "missing required field"),
        ("[[failure]]\ndialect='d'\nscenario='s'\nreason=' '\nurl='https://x'", "a reason must"),
        ("[[failure]]\ndialect='d'\nscenario='s'\nreason='r'\nurl='x'", "a url begins"),
        ("[[faliure]]", "unknown field"),
        ("= 5", "Invalid statement"),
    ],
)
def test_a_broken_file_of_known_failures_is_one_line(tmp_path: Path, text: str, wrong: str) -> None:
    path = tmp_path / "known.toml"
    path.write_text(text)
    with pytest.raises(ConformanceError, match=wrong) as refused:
        expected.read(path)
    assert "\n" not in refused.value.message


def test_what_nobody_knows_is_named_with_what_is_known() -> None:
    with pytest.raises(ConformanceError, match="no scenario is called nope"):
        qualify(["codex-exec"], ["nope"], jobs=1)
    with pytest.raises(ConformanceError, match="openai-chat tells no turns"):
        qualify(["openai-chat"], jobs=1)
