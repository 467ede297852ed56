"""A project's policy lines: read, refused, joined, and proposed for what a report lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnreel.adapters import registry
from turnreel.recorder.errors import RecorderError
from turnreel.recorder.project_policy import (
    ProjectPolicy,
    allowing,
    parse_project_policy,
    read_project_policy,
)
from turnreel.sanitizers import Unlisted
from turnreel.sanitizers.policy import lines

TEXT = """\
# What our gateway adds.
[claude-stream-json]
frame  system/init  build_channel  word

[anthropic-messages]
frame  message_start  gateway.region  word   # a closed list
"""
DIALECTS = {"agent": "claude-stream-json", "host": "edge", "prose": "none"}


def refusal(text: str) -> RecorderError:
    with pytest.raises(RecorderError) as caught:
        parse_project_policy(text, "p.txt: ")
    return caught.value


def test_lines_stand_under_their_dialect() -> None:
    policy = parse_project_policy(TEXT)
    assert policy.lines == {
        "claude-stream-json": lines("frame system/init build_channel word"),
        "anthropic-messages": lines("frame message_start gateway.region word"),
    }
    built_in = registry.policy("claude-stream-json")
    assert policy.extended(built_in).lines[-1] == policy.lines["claude-stream-json"][0]
    assert ProjectPolicy().extended(built_in) is built_in


def test_the_digest_is_of_what_it_says() -> None:
    policy = parse_project_policy(TEXT)
    assert policy.digest is not None and policy.digest.startswith("sha256:")
    assert parse_project_policy(policy.text()) == policy
    assert parse_project_policy(policy.text()).digest == policy.digest
    assert parse_project_policy(TEXT.replace("word", "id", 1)).digest != policy.digest
    assert ProjectPolicy().digest is None
    masked = "[claude-stream-json]\nframe system/init host_notes masked\n"
    assert parse_project_policy(masked).digest is None
    assert parse_project_policy(f"{TEXT}\n{masked}").digest == policy.digest
    assert parse_project_policy("# nothing yet\n").digest is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("frame * a word\n", "line 1 belongs to no dialect"),
        ("\n[claude]\n", "line 2 names no known dialect: claude"),
        ("[claude-stream-json]\n\nframe * a\n", "line 3 has 3 fields"),
        ("[claude-stream-json]\nframe * a b\n", "line 2 names no known mode: b"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(text: str, message: str) -> None:
    error = refusal(text)
    assert error.message.startswith("p.txt: ")
    assert message in error.message
    assert error.remedy


@pytest.mark.parametrize(
    "line",
    [
        "frame * session_id word",
        "frame system/init cwd text",
        "frame system/* model text",
        "frame user message.content text",
        "said * content text",
        "frame result/success result.deep text",
        "input Bash command text",
        "modelusage * newUsage text",
        "frame result/success modelUsage.mine text",
        "frame system/init tools[].name text",
    ],
)
def test_no_line_overrides_a_built_in_one(line: str) -> None:
    assert "overrides the built-in" in refusal(f"[claude-stream-json]\n{line}\n").message
    with pytest.raises(RecorderError):
        ProjectPolicy().joined("claude-stream-json", lines(line))


def test_joining_adds_each_line_once() -> None:
    added = lines("frame system/init build_channel word\nframe system/init shard int")
    policy = parse_project_policy(TEXT).joined("claude-stream-json", added)
    assert [line.path for line in policy.lines["claude-stream-json"]] == ["build_channel", "shard"]


def test_a_file_that_is_not_there_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(RecorderError, match="no such file"):
        read_project_policy(tmp_path / "none.txt")
    (tmp_path / "latin.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(RecorderError, match="not UTF-8"):
        read_project_policy(tmp_path / "latin.txt")


@pytest.mark.parametrize(
    ("frame", "path", "kind", "line"),
    [
        ("system/init", "frame:.build_channel", "string", "frame system/init build_channel shape"),
        ("system/init", "frame:.a.b[]", "number", "frame system/init a.b[] number"),
        ("assistant", "block:.novelty", "boolean", "block * novelty bool"),
        ("system/init", "frame:.field-3", "string", "frame system/init ** masked"),
        ("system/init", "frame:.deep.field-3", "object", "frame system/init deep.** masked"),
        ("system/init", "frame:.field-3.deep", "object", None),
        ("system/init", "frame:.cwd", "number", None),
        ("system/init", "frame:", "string", None),
        ("*", "*", "string", None),
    ],
)
def test_a_line_is_proposed_where_one_can_help(
    frame: str, path: str, kind: str, line: str | None
) -> None:
    proposed = allowing(Unlisted("agent", frame, path, kind, 1), DIALECTS)
    assert (proposed and str(proposed[1])) == line
    assert allowing(Unlisted("prose", frame, path, kind, 1), DIALECTS) is None
    if proposed is not None:
        ProjectPolicy().joined(proposed[0], [proposed[1]])
