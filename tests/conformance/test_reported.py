"""Defects that were reported in public, each the least recording that shows it and its right turn:
`turnreel verify` holds every change against them. Here stands what each is and where it was told.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from turnreel.cassettes import open_cassette
from turnreel.conformance.goldens import golden_path
from turnreel.conformance.verify import verify

LIBRARY = Path(__file__).parents[2] / "cassettes" / "library"
CLAUDE, APP = "claude-stream-json/2.1.332", "codex-app-server/0.171.0"
EXEC, SESSION = "codex-exec/0.171.0", "hermes-session/0.19.0"
REPORTED = {
    f"{CLAUDE}/no-result-although-exit-0": "anthropics/claude-code/issues/8126",
    f"{CLAUDE}/error-under-subtype-success": "anthropics/claude-code/issues/79500",
    f"{CLAUDE}/success-that-ends-with-a-tool-call": "anthropics/claude-code/issues/40432",
    f"{CLAUDE}/two-results-of-one-process": "promptfoo/promptfoo/issues/9054",
    f"{CLAUDE}/interrupted-without-a-result-key": "anthropics/claude-code/issues/94741",
    f"{CLAUDE}/last-text-block-only": "razzant/claudexor/issues/307",
    f"{CLAUDE}/retry-restarts-the-message": "chem/pi-claude-code-provider/issues/5",
    f"{APP}/item-completed-and-abandoned": "openai/codex/issues/14691",
    f"{CLAUDE}/background-result-first": "SawyerHood/omegacode/issues/3",
    f"{EXEC}/reconnecting-counted-as-failure": "nexu-io/open-design/issues/1471",
    f"{APP}/failed-turn-as-empty-success": "NousResearch/hermes-agent/issues/90436",
    f"{EXEC}/phase-missing": "openai/codex/issues/30190",
    f"{APP}/turn-of-commentary-alone": "openai/codex/issues/27352",
    f"{SESSION}/completed-flag-on-an-error": "NousResearch/hermes-agent/issues/15561",
    f"{SESSION}/continuation-joined-to-its-beginning": "NousResearch/hermes-agent/issues/95369",
}
LARGEST = 16
"""Lines of a fixture: who reads it should see the defect at once."""


@pytest.mark.parametrize(("name", "issue"), REPORTED.items())
def test_it_is_the_least_that_shows_it_and_comes_out_right(name: str, issue: str) -> None:
    path = LIBRARY / f"{name}.cassette.jsonl"
    header = open_cassette(path).header
    assert header.issue == f"https://github.com/{issue}"
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LARGEST
    assert golden_path(path).exists()
    assert verify([path], jobs=1).ok


def test_no_reported_defect_is_forgotten() -> None:
    """Whatever names a report in the library is told here."""
    named = {
        str(path.relative_to(LIBRARY)).removesuffix(".cassette.jsonl")
        for path in LIBRARY.glob("*/*/*.jsonl")
        if open_cassette(path).header.issue
    }
    assert named == set(REPORTED)
