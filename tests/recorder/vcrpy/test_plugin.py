"""A suite that uses pytest-recording goes over to our cassettes by one line, in replay without any
network.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.recorder.providers import KEY, provider
from turnreel.cassettes import open_cassette
from turnreel.recorder.linting import lint

LINE = 'pytest_plugins = ["turnreel.recorder.vcrpy.plugin"]\n'
SUITE = Path(__file__).with_name("suite")
CASSETTES = Path("cassettes", "test_chat")
TESTS = 6


class Suite:
    """Somebody's suite in `folder`, run as they run it."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.url = url

    def switch_over(self) -> None:
        """The one line."""
        conftest = self.folder / "conftest.py"
        conftest.write_text(LINE + conftest.read_text())

    def run(self, *options: str, model: str = "claude-sonnet-4-5") -> tuple[str, str]:
        """The last line of pytest's report, and all of it. Plugins that the suite does not use are
        not loaded, which takes longer than the suite.
        """
        alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
        told = {"PROVIDER_URL": self.url, "PROVIDER_KEY": KEY, "MODEL": model}
        child = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
                *("-p", "pytest_recording.plugin", *options),
            ],
            cwd=self.folder,
            env={**os.environ, **alone, **told},
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert not child.stderr, child.stderr
        last = child.stdout.splitlines()[-1]
        return re.sub(r" in [0-9.]+s", "", last), child.stdout

    def rewrite(self) -> None:
        """Record everything anew, from a provider that is there for as long."""
        with provider() as self.url:
            assert self.run("--record-mode=rewrite")[0] == f"{TESTS} passed"

    def kept(self, ending: str) -> list[str]:
        """The names of its cassettes that end so."""
        found = (self.folder / CASSETTES).glob(f"*{ending}")
        return sorted(path.name.removesuffix(ending) for path in found)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """A suite that recorded with vcrpy's own cassettes; its provider is gone by now."""
    folder = tmp_path_factory.mktemp("original")
    shutil.copy(SUITE / "conftest.py", folder / "conftest.py")
    shutil.copy(SUITE / "suite_chat.py", folder / "test_chat.py")
    (folder / "pytest.ini").write_text("[pytest]\n")
    with provider() as url:
        suite = Suite(folder, url)
        assert suite.run("--record-mode=once")[0] == f"{TESTS} passed"
    shared = folder / CASSETTES / "shared.yaml"
    shutil.copy(folder / CASSETTES / "test_a_whole_answer.yaml", shared)
    return suite


@pytest.fixture
def recorded(original: Suite, tmp_path: Path) -> Suite:
    """A copy of it."""
    folder = tmp_path / "suite"
    shutil.copytree(original.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return Suite(folder, original.url)


REPLAY = ("--record-mode=none", "--block-network")


def test_the_line_changes_nothing_about_what_passes(recorded: Suite) -> None:
    """The YAML of before is read, and nothing is written."""
    assert recorded.run(*REPLAY)[0] == f"{TESTS} passed"
    before = sorted(recorded.folder.rglob("*"))
    recorded.switch_over()
    assert recorded.run(*REPLAY)[0] == f"{TESTS} passed"
    after = {path for path in recorded.folder.rglob("*") if "__pycache__" not in path.parts}
    assert after <= set(before)


def test_a_suite_goes_over_and_passes_in_replay(recorded: Suite) -> None:
    yaml = recorded.kept(".yaml")
    recorded.switch_over()
    lines = "[anthropic-messages]\nframe  message  gateway_zone  word\n"
    (recorded.folder / "policy.txt").write_text(lines)
    (recorded.folder / "pytest.ini").write_text("[pytest]\nturnreel_policy = policy.txt\n")
    recorded.rewrite()
    assert recorded.kept(".yaml") == ["shared"]  # which no test records
    assert recorded.kept(".cassette.jsonl") == sorted(set(yaml) - {"shared"})
    assert recorded.run(*REPLAY)[0] == f"{TESTS} passed"
    for path in (recorded.folder / CASSETTES).glob("*.cassette.jsonl"):
        text = path.read_text()
        assert "canary" not in text.lower() and KEY[:16] not in text
        assert {found.rule for found in lint(path).found} <= {"outdated"}
        assert open_cassette(path).seal is not None
        assert open_cassette(path).header.project_policy is not None
    conversation = recorded.folder / CASSETTES / "TestConversation.test_turns.cassette.jsonl"
    assert [r.exchange for r in open_cassette(conversation) if r.code == "end"] == [1, 2]


def test_a_request_of_another_shape_is_told_apart(recorded: Suite) -> None:
    recorded.switch_over()
    recorded.rewrite()
    (recorded.folder / CASSETTES / "shared.yaml").unlink()
    last, report = recorded.run(*REPLAY, model="claude-opus-4-5")
    assert last == f"{TESTS} failed"
    assert '/model: "claude-sonnet-4-5" recorded, "claude-opus-4-5" asked' in report


def test_new_episodes_are_added_and_what_was_there_stays(recorded: Suite) -> None:
    recorded.switch_over()
    recorded.rewrite()
    path = recorded.folder / CASSETTES / "test_a_stream.cassette.jsonl"
    before = path.read_bytes().splitlines()[1:-1]
    only = ("-k", "a_stream")
    passed = f"1 passed, {TESTS - 1} deselected"
    with provider() as recorded.url:
        other = recorded.run("--record-mode=new_episodes", *only, model="claude-opus-4-5")
        assert other[0] == passed
    after = path.read_bytes().splitlines()[1:-1]
    assert after[: len(before)] == before and len(after) == 2 * len(before)
    for model in ("claude-opus-4-5", "claude-sonnet-4-5"):
        assert recorded.run(*REPLAY, *only, model=model)[0] == passed


def test_a_marker_may_ask_to_rewrite(recorded: Suite) -> None:
    recorded.switch_over()
    recorded.rewrite()
    tests = recorded.folder / "test_chat.py"
    marked = '@pytest.mark.vcr(record_mode="rewrite")\n'
    tests.write_text(tests.read_text().replace("@pytest.mark.vcr\n", marked))
    with provider() as recorded.url:
        recorded.run("-k", "a_stream", model="claude-opus-4-5")
    text = (recorded.folder / CASSETTES / "test_a_stream.cassette.jsonl").read_text()
    assert "claude-opus-4-5" in text and text.count('"request"') == 1
