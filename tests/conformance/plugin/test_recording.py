"""Recording from a test: once, with the upstream gone afterwards, and never in CI."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.plugin.suites import Suite
from turnreel.adapters.steps import Answer, Say
from turnreel.cassettes import open_cassette
from turnreel.cli.demo_provider import provider, story
from turnreel.recorder.linting import lint

ONCE = "--turnreel-record=once"
PROVIDER = """
@pytest.mark.cassette("asked", provider={url!r}, keep_text=True)
def test_the_provider_answers(replay_server):
    assert b"message_stop" in ask(replay_server.url)
"""
AGENT = """
@pytest.mark.cassette(
    "agent", provider={url!r}, dialect="claude-stream-json", keep_text=True,
    agent=[{python!r}, "-m", "turnreel.cli.demo_agent"],
)
def test_the_agent_answers(agent_shim, cassette, turn):
    words = [agent_shim, "What is the total of report.csv?"]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    assert done.returncode == 0
    assert turn == events(done.stdout)
"""


@pytest.fixture
def upstream(tmp_path: Path) -> Iterator[str]:
    """A provider; it is gone when the fixture is."""
    with provider(story(tmp_path / "report.csv")) as url:
        yield url


def gone() -> str:
    """An address where nobody is any more."""
    with provider((Answer((Say("Never asked."),)),)) as url:
        return url


def agent(url: str) -> str:
    return AGENT.format(url=url, python=sys.executable)


def test_a_provider_is_recorded_once_and_then_not_asked(suite: Suite, upstream: str) -> None:
    suite.tests(PROVIDER.format(url=upstream))
    missing = suite.run("-q")
    assert missing.counts == "1 error"
    assert "asked is not there" in missing.out
    first = suite.run(ONCE)
    assert first.status == 0, first.out
    assert "turnreel: recording once" in first.out
    made = suite.folder / "asked.cassette.jsonl"
    assert lint(made).is_clean
    before = made.read_bytes()
    suite.tests(PROVIDER.format(url=gone()))
    for words in ((), (ONCE,), (ONCE, "-n", "2")):
        assert suite.run("-q", *words).counts == "1 passed"
    assert made.read_bytes() == before


def test_an_agent_is_recorded_with_its_turn(suite: Suite, upstream: str) -> None:
    suite.tests(agent(upstream))
    first = suite.run("-q", ONCE)
    assert first.status == 0, first.out
    made = suite.folder / "agent.cassette.jsonl"
    assert {track.carrier for track in open_cassette(made).header.tracks} == {
        "stdio", "http", "host"
    }  # fmt: skip
    assert "final" in made.with_name("agent.turn").read_text()
    before = made.read_bytes()
    suite.tests(agent(gone()))
    assert suite.run("-q", ONCE).counts == "1 passed"
    suite.tests(agent(upstream))
    assert made.read_bytes() == before
    assert suite.run("-q", "--turnreel-record=all").counts == "1 passed"
    assert made.read_bytes() != before


def test_a_strict_recording_compares_the_turn_without_its_words(
    suite: Suite, upstream: str
) -> None:
    (suite.folder / "allowed.txt").write_text("")
    suite.settings('policy = "allowed.txt"')
    suite.tests(agent(upstream).replace("keep_text=True", "keep_text=False"))
    assert suite.run("-q", ONCE).counts == "1 passed"
    made = suite.folder / "agent.cassette.jsonl"
    assert open_cassette(made).header.profile == "strict"
    assert "regions" not in made.read_text() + made.with_name("agent.turn").read_text()
    assert suite.run("-q").counts == "1 passed"


def test_a_test_that_plans_faults_records_nothing(suite: Suite, upstream: str) -> None:
    faulted = PROVIDER.replace("def test_", "def test_faulted_").replace(
        "{url!r},", "{url!r}, pacing='max', plan='plan.toml',"
    )
    (suite.folder / "plan.toml").write_text('faults = ["duplicate@event=2"]\n')
    suite.tests(faulted.format(url=upstream))
    alone = suite.run("-q", ONCE)
    assert alone.counts == "1 error"
    assert "asked is not there" in alone.out
    suite.tests(PROVIDER.format(url=upstream) + faulted.format(url=upstream))
    assert suite.run("-q", ONCE).counts == "2 passed"
    made = (suite.folder / "asked.cassette.jsonl").read_bytes()
    assert suite.run("-q", "--turnreel-record=all", "-k", "faulted").counts.startswith("1 passed")
    assert (suite.folder / "asked.cassette.jsonl").read_bytes() == made


def test_ci_records_nothing(suite: Suite, upstream: str) -> None:
    suite.tests(PROVIDER.format(url=upstream) + agent(upstream))
    for mode in ("once", "all"):
        done = suite.run(f"--turnreel-record={mode}", env={"CI": "true"})
        assert done.counts == "2 errors"
        assert "turnreel: CI is set, none recorded" in done.out
    assert list(suite.folder.glob("*.cassette.jsonl")) == []


def test_what_recording_needs_is_said_in_one_line(suite: Suite, upstream: str) -> None:
    suite.tests(
        """
@pytest.mark.cassette("one")
def test_no_provider(replay_server):
    pass

@pytest.mark.cassette("two")
def test_no_agent(agent_shim):
    pass

@pytest.mark.cassette("three", agent="no-such-agent")
def test_agent_is_absent(agent_shim):
    pass

@pytest.mark.cassette("four", provider="https://example.com", agent="sh")
def test_both(agent_shim, replay_server):
    pass

@pytest.mark.cassette("five", agent="sh", dialect="claude-stream-json")
def test_never_started(agent_shim):
    pass
"""
        + PROVIDER.format(url="http://me:pass@127.0.0.1")
    )
    done = suite.run("-q", ONCE)
    assert done.counts == "1 passed, 6 errors"  # one fails once it is over
    for said in (
        "recording needs the real provider: add provider='https://…' to the marker",
        "recording needs the real agent: add agent='claude' to the marker",
        "recording needs the real agent: no-such-agent is not on the PATH",
        "a test records its agent or its provider",
        "five.cassette.jsonl was not recorded: the test did not run its agent to the end",
        "not a base URL (give scheme and host, like https://api.anthropic.com)",
    ):
        assert f"turnreel: {said}" in done.out or said in done.out
    assert "Traceback" not in done.out


def test_recording_takes_one_process(suite: Suite, upstream: str) -> None:
    suite.tests(PROVIDER.format(url=upstream))
    done = suite.run("-q", ONCE, "-n", "2")
    assert done.counts == "1 error"
    assert "recording needs one process: run pytest without -n for it" in done.out


def test_the_extra_that_is_missing_is_named(suite: Suite, upstream: str) -> None:
    absent = suite.folder / "absent" / "mitmproxy"
    absent.mkdir(parents=True)
    (absent / "__init__.py").write_text("raise ImportError('not installed')\n")
    suite.tests(PROVIDER.format(url=upstream))
    done = suite.run("-q", ONCE, env={"PYTHONPATH": str(absent.parent)})
    assert done.counts == "1 error"
    assert "recording http needs mitmproxy (pip install 'turnreel[record]')" in done.out
