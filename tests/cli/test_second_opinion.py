"""``--second-opinion``: somebody else's rules at the seal gate, and the one line without them.

The scanner of the extra is played by a module of its name that knows one word.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.captures import native, write_capture
from tests.cli.command import Turnreel
from turnreel.adapters.claude_stream_json.render import lines
from turnreel.adapters.steps import Answer, End, Say, Script
from turnreel.cassettes import open_cassette

WORD = "swordfish"
SCRIPT: Script = (Answer((Say(f"The word is {WORD}, as ever."),)), End())
SCANNER = f"""
class Found:
    rule_id, visible = "betterleaks.word", True

class Scanner:
    def __init__(self, redact):
        assert redact
    def scan(self, data):
        return [Found()] if b"{WORD}" in data else []
"""


def standing_in(folder: Path, source: str) -> Mapping[str, str]:
    """The environment in which `source` is the scanner's package."""
    folder.mkdir()
    (folder / "kingfisher_sdk.py").write_text(source)
    return {"PYTHONPATH": str(folder)}


@pytest.fixture
def installed(tmp_path: Path) -> Mapping[str, str]:
    return standing_in(tmp_path / "installed", SCANNER)


@pytest.fixture
def missing(tmp_path: Path) -> Mapping[str, str]:
    return standing_in(tmp_path / "missing", "raise ImportError")


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    return write_capture(tmp_path / "word.jsonl", lines(SCRIPT))


def test_an_import_lands_without_what_is_objected_to(
    turnreel: Turnreel, capture: Path, tmp_path: Path, installed: Mapping[str, str]
) -> None:
    plain, asked = tmp_path / "plain.cassette.jsonl", tmp_path / "asked.cassette.jsonl"
    assert turnreel("import", "capture", capture, "--to", plain).status == 0
    told = turnreel("import", "capture", capture, "--to", asked, "--second-opinion", env=installed)
    assert told.status == 0, told.err
    assert WORD in plain.read_text() and WORD not in asked.read_text()
    seal = open_cassette(asked).seal
    assert seal is not None and seal.report is not None
    assert seal.report["gate"]["betterleaks.word"] > 0


def test_lint_and_sanitize_ask_it_too(
    turnreel: Turnreel, capture: Path, tmp_path: Path, installed: Mapping[str, str]
) -> None:
    plain, clean = tmp_path / "plain.cassette.jsonl", tmp_path / "clean.cassette.jsonl"
    turnreel("import", "capture", capture, "--to", plain)
    assert turnreel("lint", plain).status == 0
    told = turnreel("lint", plain, "--second-opinion", "--json", env=installed)
    assert told.status == 1
    assert {one["rule"] for one in json.loads(told.out)[0]["found"]} == {"leftover"}
    assert turnreel("sanitize", plain, "--to", clean, "--second-opinion", env=installed).status == 0
    assert turnreel("lint", clean, "--second-opinion", env=installed).status == 0


def test_a_recording_asks_it(
    turnreel: Turnreel, tmp_path: Path, installed: Mapping[str, str]
) -> None:
    said, target = tmp_path / "said.jsonl", tmp_path / "live.cassette.jsonl"
    said.write_bytes(native(SCRIPT))
    words = ("record", "--keep-text", "--dialect", "claude-stream-json", "--to", target)
    told = turnreel(*words, "--second-opinion", "--", "cat", said, env=installed)
    assert told.status == 0 and told.out.encode() == said.read_bytes(), told.err
    assert open_cassette(target).seal is not None and WORD not in target.read_text()


@pytest.mark.parametrize(
    "words",
    [
        ("record", "--to", "new", "--second-opinion", "--", "touch", "started"),
        ("sanitize", "word.jsonl", "--to", "new", "--second-opinion"),
        ("import", "capture", "word.jsonl", "--to", "new", "--second-opinion"),
        ("import", "transcript", "word.jsonl", "--to", "new", "--second-opinion"),
        ("import", "rollout", "word.jsonl", "--to", "new", "--second-opinion"),
        ("lint", "word.jsonl", "--second-opinion"),
    ],
    ids=lambda words: words[0] if words[0] != "import" else words[1],
)
def test_without_the_extra_nothing_is_done_and_one_line_says_what_to_install(
    turnreel: Turnreel, capture: Path, missing: Mapping[str, str], words: tuple[str, ...]
) -> None:
    told = turnreel(*words, env=missing)
    assert told.status == 2
    assert told.one_line() == (
        "a second opinion needs Kingfisher's scanner (pip install 'turnreel[scan]')"
    )
    assert not (capture.parent / "new").exists() and not (capture.parent / "started").exists()
