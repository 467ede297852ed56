"""The page about pytest tells the truth: its examples are run."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conformance.plugin.suites import Suite

PAGE = (Path(__file__).parents[3] / "docs" / "pytest.md").read_text(encoding="utf-8")
TRANSLATE = """
import json, subprocess, sys


def translate(stdout):
    words = [sys.executable, "-m", "turnreel", "translate", "--dialect", "claude-stream-json"]
    told = subprocess.run(words, input=stdout, stdout=subprocess.PIPE, check=True).stdout
    return {told}
"""
RIGHT = "[json.loads(line) for line in told.splitlines()]"
BROKEN = "[one for one in map(json.loads, told.splitlines()) if one['type'] != 'commentary']"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def project(suite: Suite, session: Path, told: str) -> None:
    (settings,) = blocks("toml")
    pytest_settings = "[tool.pytest.ini_options]\n\n"
    (suite.folder / "pyproject.toml").write_text(pytest_settings + settings, encoding="utf-8")
    (suite.folder / "tests").mkdir()
    suite.keep(session, folder="tests/cassettes")
    (suite.folder / "my_adapter.py").write_text(TRANSLATE.replace("{told}", told))
    for number, example in enumerate(blocks("python")):
        path = suite.folder / "tests" / f"test_example_{number}.py"
        path.write_text(example, encoding="utf-8")


def test_the_examples_are_green(suite: Suite, session: Path) -> None:
    project(suite, session, RIGHT)
    done = suite.run("-q", "tests", env={"PYTHONPATH": str(suite.folder)})
    assert done.counts == "7 passed", done.out


def test_the_broken_adapter_is_red_as_the_page_says(suite: Suite, session: Path) -> None:
    project(suite, session, BROKEN)
    words = ("-q", "tests", "-k", "right_turn")
    done = suite.run(*words, env={"PYTHONPATH": str(suite.folder)})
    assert done.status == 1
    (shown,) = [text for text in blocks("text") if text.startswith(">")]
    printed = {line.rstrip() for line in done.out.splitlines()}
    *lines, clause = shown.splitlines()
    assert [line for line in lines if line not in {*printed, "…"}] == []
    assert clause in done.out
