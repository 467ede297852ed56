"""A user's suite, written to disk and run as its user runs it: pytest in a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

HEAD = "import json, os, pathlib, subprocess, sys, urllib.error, urllib.request\nimport pytest\n"
ASK = """
def ask(url):
    messages = [{"role": "user", "content": "What is the total of report.csv?"}]
    body = {"model": "claude-sonnet-4-5-20250929", "stream": True, "messages": messages}
    request = urllib.request.Request(
        f"{url}/v1/messages", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=10) as response:
        return response.read()
"""
ADAPTER = '''
def events(stdout, *, without=()):
    """The user's own adapter: turnreel's, and what it leaves out."""
    words = [sys.executable, "-m", "turnreel", "translate", "--dialect", "claude-stream-json"]
    told = subprocess.run(words, input=stdout, stdout=subprocess.PIPE, check=True).stdout
    return [one for one in map(json.loads, told.splitlines()) if one["type"] not in without]
'''


@dataclass(frozen=True)
class Outcome:
    """How a run of pytest ended, and what it printed."""

    status: int
    out: str

    @property
    def counts(self) -> str:
        """The last line without its time: ``1 failed, 2 passed``."""
        return self.out.strip().splitlines()[-1].strip("= ").partition(" in ")[0]


class Suite:
    """A project in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings()

    def settings(self, *lines: str) -> None:
        """The project's ``[tool.turnreel]``."""
        text = "\n".join(("[tool.pytest.ini_options]", "", "[tool.turnreel]", *lines, ""))
        (self.folder / "pyproject.toml").write_text(text, encoding="utf-8")

    def tests(self, text: str, name: str = "test_mine.py") -> None:
        """A module of tests."""
        (self.folder / name).write_text(HEAD + ASK + ADAPTER + text, encoding="utf-8")

    def keep(self, cassette: Path, name: str = "total", folder: str = ".") -> Path:
        """A copy of `cassette` and its turn."""
        place = self.folder / folder
        place.mkdir(exist_ok=True)
        kept = place / f"{name}.cassette.jsonl"
        shutil.copy(cassette, kept)
        golden = cassette.with_name(cassette.name.replace(".cassette.jsonl", ".turn"))
        shutil.copy(golden, place / f"{name}.turn")
        return kept

    def run(self, *words: str, env: Mapping[str, str] | None = None) -> Outcome:
        """Run pytest in the project."""
        child = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words],
            cwd=self.folder, env={**os.environ, "CI": "", **(env or {})},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=110,
        )  # fmt: skip
        return Outcome(child.returncode, child.stdout)
