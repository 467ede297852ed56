"""A recording of a whole session, agent and provider, and a project that uses it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance.plugin.suites import Suite
from turnreel.cassettes import open_cassette
from turnreel.cli.demo_provider import PROMPT, provider, story
from turnreel.conformance import goldens
from turnreel.replayer import refeed


@pytest.fixture(scope="session")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's agent and provider, recorded, with the turn beside it."""
    folder = tmp_path_factory.mktemp("session")
    target = folder / "session.cassette.jsonl"
    agent = [sys.executable, "-m", "turnreel.cli.demo_agent", PROMPT]
    with provider(story(folder / "report.csv")) as url:
        words = ["record", "--to", str(target), "--provider-url", url, "--profile", "fixture",
                 "--dialect", "claude-stream-json", "--", *agent]  # fmt: skip
        subprocess.run(
            [sys.executable, "-m", "turnreel", *words], check=True, stdout=subprocess.DEVNULL
        )
    text = goldens.turn_text(refeed.events(open_cassette(target)))
    goldens.golden_path(target).write_text(text, encoding="utf-8")
    return target


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    """An empty project."""
    return Suite(tmp_path)
