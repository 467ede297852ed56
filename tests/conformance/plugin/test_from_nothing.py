"""The quick start's way from an empty folder: every command and file of it, as it stands there,
with a scripted Codex on the PATH.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from turnreel.adapters.codex_exec.builders import Printer
from turnreel.conformance.describe import demand

PAGE = (Path(__file__).parents[3] / "docs" / "quick-start.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## A repository of your own, from nothing")[2]
COMMENTARY, ANSWER = "I'll count the rows first.", "The total is **76**."


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", SECTION, re.DOTALL | re.MULTILINE)


def scripted_codex() -> str:
    """A program that prints one turn of ``codex exec --json``."""
    printer, kind = Printer(), "command_execution"
    lines = [
        printer.thread(),
        printer.begun(),
        printer.said("one", COMMENTARY),
        printer.started("two", kind, status="in_progress"),
        printer.completed("two", kind, status="completed", exit_code=0),
        printer.said("three", ANSWER),
        printer.ended(),
    ]
    printed = "".join(f"{json.dumps(line)}\n" for line in lines)
    return f"#!{sys.executable}\nprint({printed!r}, end='')\n"


class Repository:
    """A folder, and what is run in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "repository"
        self.folder.mkdir()
        bin = folder / "bin"
        bin.mkdir()
        self.put(bin / "codex", scripted_codex())
        self.put(bin / "turnreel", f'#!/bin/sh\nexec "{sys.executable}" -m turnreel "$@"\n')
        clean = {name: value for name, value in os.environ.items() if name not in ("CI",)}
        self._environment = {**clean, "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}"}

    def put(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, cwd=self.folder, env=self._environment, capture_output=True, text=True,
            timeout=120,
        )  # fmt: skip

    def pytest(self) -> subprocess.CompletedProcess[str]:
        return self.run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """The section, typed in: its commands run, its files written."""
    made = Repository(tmp_path)
    (commands,) = blocks("sh")
    install, *others = commands.splitlines()
    assert install.startswith("pip install ")  # what this environment has
    for line in others:
        done = made.run(*shlex.split(line))
        assert done.returncode == 0, (line, done.stderr)
    (settings,), (adapter, test) = blocks("toml"), blocks("python")
    for name in ("pyproject.toml", "my_adapter.py", "tests/test_my_adapter.py"):
        assert f"`{name}`" in SECTION
    made.put(made.folder / "pyproject.toml", settings)
    made.put(made.folder / "my_adapter.py", adapter)
    made.put(made.folder / "tests" / "test_my_adapter.py", test)
    return made


def test_it_is_green(repository: Repository) -> None:
    turn, _ = blocks("text")
    written = repository.folder / "tests" / "cassettes" / "total.turn"
    assert written.read_text(encoding="utf-8") == turn, "the turn that the page shows"
    done = repository.pytest()
    assert (done.returncode, done.stdout.splitlines()[-1].split(" in ")[0]) == (0, "2 passed")


@pytest.mark.parametrize(
    ("right", "wrong", "clause", "said"),
    [
        ("        if self.said:", "        if False:", "C1", COMMENTARY),
        ('"text": self.said["text"]}', '"text": "It is 77."}', "C2", ANSWER),
    ],
    ids=["no commentary", "another answer"],
)
def test_a_broken_adapter_is_red_and_says_why(
    repository: Repository, right: str, wrong: str, clause: str, said: str
) -> None:
    adapter = repository.folder / "my_adapter.py"
    whole = adapter.read_text(encoding="utf-8")
    assert whole.count(right) == 1
    adapter.write_text(whole.replace(right, wrong), encoding="utf-8")
    done = repository.pytest()
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].split(" in ")[0] == "1 failed, 1 passed"
    told = done.stdout.partition(" Captured turnreel turn call ")[2].splitlines()
    assert f"read on at {clause}: {demand(clause)}" in told
    frames = told[told.index("what should have come rests on, in total.cassette.jsonl:") + 1 :]
    assert re.fullmatch(r"#\d+ \+\d\.\d{3}s agent out item\.completed/agent_message .*", frames[0])
    assert said in frames[0]
    assert re.match(r"#\d+ \+\d\.\d{3}s agent out ", frames[1])
    assert "Traceback" not in done.stdout


def test_the_page_shows_what_is_printed(repository: Repository) -> None:
    """But for times, and for what the sanitizer made of a command."""
    adapter = repository.folder / "my_adapter.py"
    whole = adapter.read_text(encoding="utf-8")
    adapter.write_text(whole.replace("        if self.said:", "        if False:"))
    printed = [_timeless(line) for line in repository.pytest().stdout.splitlines()]
    _, shown = blocks("text")
    assert [line for line in map(_timeless, shown.splitlines()) if line not in printed] == []


def _timeless(line: str) -> str:
    return re.sub(r"\+\d\.\d{3}s|(?<=item_1 ).*", "", line).rstrip()
