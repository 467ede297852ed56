"""How an agent's command line reads."""

from __future__ import annotations

import shlex

import pytest

from turnreel.recorder.agents import NO_DIALECT, plain_version, understand, version_in
from turnreel.recorder.errors import RecorderError
from turnreel.wire import JsonUnit, LineFraming, TextUnit

STREAM = "claude -p --output-format stream-json --verbose"


@pytest.mark.parametrize(
    ("command", "dialect", "starts_run"),
    [
        (f"{STREAM} -- Go.", "claude-stream-json", True),
        (f"/opt/bin/{STREAM} -- Go.", "claude-stream-json", True),
        (f"{STREAM} --", "claude-stream-json", False),
        (f"{STREAM} Go.", "claude-stream-json", True),
        (f"{STREAM} --model m --max-turns 2", "claude-stream-json", False),
        (f"{STREAM} --model m 'Go on.'", "claude-stream-json", True),
        (f"{STREAM} --allowedTools Read Bash --model m", "claude-stream-json", False),
        (f"{STREAM} --allowedTools Read,Bash -- Go.", "claude-stream-json", True),
        (f"{STREAM} --resume 123", "claude-stream-json", False),
        (f"{STREAM} --input-format stream-json", "claude-stream-json", False),
        (f"{STREAM} --input-format=stream-json -- Go.", "claude-stream-json", False),
        ("claude -p --output-format=json -- Go.", "claude-stream-json", True),
        ("claude -p --output-format text -- Go.", NO_DIALECT, False),
        ("claude -p -- Go. --output-format stream-json", NO_DIALECT, False),
        ("claude", NO_DIALECT, False),
    ],
)
def test_claude(command: str, dialect: str, starts_run: bool) -> None:
    spoken = understand(shlex.split(command))
    assert (spoken.dialect, spoken.starts_run) == (dialect, starts_run)
    assert spoken.agent == "claude"
    assert spoken.base_url == "ANTHROPIC_BASE_URL"


@pytest.mark.parametrize(
    ("command", "dialect"),
    [
        ("hermes acp", "hermes-acp"),
        ("/opt/bin/hermes-acp", "hermes-acp"),
        ("hermes chat -q Go.", NO_DIALECT),
        ("hermes", NO_DIALECT),
    ],
)
def test_hermes(command: str, dialect: str) -> None:
    spoken = understand(shlex.split(command))
    assert (spoken.dialect, spoken.starts_run) == (dialect, False)
    assert (spoken.agent, spoken.provider) == ("hermes", "openai-chat")


def test_hermes_behind_its_gateway_is_named_by_the_dialect() -> None:
    spoken = understand(["python", "-m", "tui_gateway.entry"], "hermes-tui")
    assert (spoken.agent, spoken.dialect) == ("hermes", "hermes-tui")


@pytest.mark.parametrize(
    ("command", "dialect", "starts_run"),
    [
        ("codex app-server", "codex-app-server", False),
        ("codex -c x=1 app-server", "codex-app-server", False),
        ("codex exec --json Go.", "codex-exec", True),
        ("codex exec --json --skip-git-repo-check -s read-only -o out.txt Go.", "codex-exec", True),
        ("codex exec --json resume 123 Go.", "codex-exec", True),
        ("codex exec --json resume --last Go.", "codex-exec", True),
        ("codex exec --json resume 123", "codex-exec", False),
        ("codex exec --json -- --odd", "codex-exec", True),
        ("codex exec --json -", "codex-exec", False),
        ("codex exec --json -m gpt-5", "codex-exec", False),
        ("codex exec Go.", NO_DIALECT, False),
        ("codex", NO_DIALECT, False),
    ],
)
def test_codex(command: str, dialect: str, starts_run: bool) -> None:
    spoken = understand(shlex.split(command))
    assert (spoken.agent, spoken.dialect, spoken.starts_run) == ("codex", dialect, starts_run)
    assert spoken.provider == "openai-responses"


def test_a_dialect_that_is_said_overrules_the_name() -> None:
    spoken = understand(["python3", "-m", "fake", "Go."], "claude-stream-json")
    assert (spoken.agent, spoken.starts_run) == ("claude", True)


@pytest.mark.parametrize(
    ("argv", "dialect", "words"),
    [
        (["python3", "x.py"], None, "cannot tell what python3 speaks"),
        (["claude", "-p"], "klingon", "no adapter for klingon"),
        (["x"], "klingon", "no adapter for klingon"),
    ],
)
def test_what_nobody_can_tell_is_one_clear_error(
    argv: list[str], dialect: str | None, words: str
) -> None:
    with pytest.raises(RecorderError, match=words) as caught:
        understand(argv, dialect)
    assert "claude-stream-json" in caught.value.remedy


@pytest.mark.parametrize(
    ("found", "version"),
    [
        ("2.1.332", "2.1.332"),
        ("0.171.0-alpha.3", "0.171.0-alpha.3"),
        ("2.1.332 on host-7", None),
        ("2", None),
        (2.1, None),
        (None, None),
        ("1.2.3\n", None),
    ],
)
def test_only_a_version_number_is_taken_as_one(
    found: str | float | None, version: str | None
) -> None:
    assert plain_version(found) == version


def test_the_version_stands_in_the_first_frame() -> None:
    init = {"type": "system", "subtype": "init", "claude_code_version": "2.1.332"}
    assert version_in(JsonUnit(init, LineFraming())) == "2.1.332"
    assert version_in(JsonUnit({"type": "result"}, LineFraming())) is None
    assert version_in(TextUnit("2.1.332", LineFraming())) is None
