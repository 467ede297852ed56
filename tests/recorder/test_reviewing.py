"""A review at the end: raw values never leave memory, approved lines land, nothing is lost."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from turnreel.cassettes import AgentInfo, Origin, TrackSpec, open_cassette
from turnreel.recorder import reviewing
from turnreel.recorder.intake import Intake
from turnreel.recorder.landing import Landing
from turnreel.recorder.messages import Chunk, Plan, Sealed
from turnreel.recorder.project_policy import ProjectPolicy, parse_project_policy
from turnreel.recorder.sealer import Sealer
from turnreel.sanitizers import Unlisted

from .conftest import INIT, result, said

LINE = "frame system/init build_channel word"
APPROVED = parse_project_policy(f"[claude-stream-json]\n{LINE}\n")
FRAMES: tuple[dict[str, Any], ...] = (
    {**INIT, "build_channel": "nightly", "canary": "canary-value"},
    said("Done."),
    result("Done."),
)


def plan(target: Path, **changes: Any) -> Plan:
    fields: dict[str, Any] = {
        "target": str(target),
        "replaces": False,
        "agent": AgentInfo("claude"),
        "tracks": (TrackSpec(id="agent", carrier="stdio", dialect="claude-stream-json"),),
        "profile": "strict",
        "origin": Origin(kind="recorded"),
        "is_reviewed": True,
    }
    return Plan(**{**fields, **changes})


def chunks() -> list[Chunk]:
    return [
        Chunk(number, "agent", "out", None, json.dumps(frame).encode() + b"\n")
        for number, frame in enumerate(FRAMES)
    ]


class Reviewer:
    """Remembers what it was shown; answers with `policy`."""

    def __init__(self, policy: ProjectPolicy) -> None:
        self.policy = policy
        self.shown: tuple[Unlisted, ...] = ()

    def __call__(
        self, unlisted: tuple[Unlisted, ...], dialects: Mapping[str, str]
    ) -> ProjectPolicy:
        assert dialects == {"agent": "claude-stream-json"}
        self.shown = unlisted
        return self.policy


def recorded(plan: Plan, reviewer: Reviewer) -> Sealed:
    sealer = Sealer(plan)
    try:
        sealer.wait_until_open()
        for chunk in chunks():
            sealer.put(chunk)
        return sealer.finish(reviewer)
    finally:
        sealer.close()


@pytest.mark.parametrize("replaces", [False, True])
@pytest.mark.parametrize("name", ["x.cassette.jsonl", "x.cassette.jsonl.zst"])
def test_approved_lines_land(tmp_path: Path, name: str, replaces: bool) -> None:
    target = tmp_path / name
    if replaces:
        target.write_text("the former one")
    reviewer = Reviewer(APPROVED)
    sealed = recorded(plan(target, replaces=replaces), reviewer)
    assert (sealed.path, sealed.records, sealed.note) == (str(target), 3, "")
    assert [(one.path, one.type, one.count) for one in reviewer.shown] == [
        ("frame:.build_channel", "string", 1),
        ("frame:.canary", "string", 1),
    ]
    assert "nightly" not in repr(reviewer.shown)
    cassette = open_cassette(target)
    assert cassette.header.project_policy == APPROVED.digest
    init = next(iter(cassette)).data
    assert isinstance(init, dict)
    assert (init["build_channel"], init["canary"]) == ("nightly", "masked")
    assert cassette.seal is not None and cassette.seal.report is not None
    assert [one["path"] for one in cassette.seal.report["unlisted"]] == ["frame:.canary"]
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_nothing_approved_seals_what_was_written(tmp_path: Path) -> None:
    target = tmp_path / "x.cassette.jsonl"
    recorded(plan(target), Reviewer(ProjectPolicy()))
    cassette = open_cassette(target)
    assert cassette.seal is not None and cassette.header.project_policy is None
    assert b"nightly" not in target.read_bytes()


def test_nothing_unlisted_asks_nothing(tmp_path: Path) -> None:
    both = parse_project_policy(f"[claude-stream-json]\n{LINE}\nframe system/init canary masked\n")
    reviewer = Reviewer(ProjectPolicy())
    recorded(plan(tmp_path / "x.cassette.jsonl", policy=both), reviewer)
    assert reviewer.shown == ()


def test_whoever_reviews_goes_away_and_the_session_is_sealed(tmp_path: Path) -> None:
    """The recorder is gone before it answers: default-deny is what lands."""
    target = tmp_path / "x.cassette.jsonl"

    def leave(_: object, __: object) -> ProjectPolicy:
        raise EOFError

    sealer = Sealer(plan(target))
    sealer.wait_until_open()
    for chunk in chunks():
        sealer.put(chunk)
    with pytest.raises(EOFError):
        sealer.finish(leave)
    sealer.close()
    cassette = open_cassette(target)
    assert cassette.seal is not None
    assert b"nightly" not in target.read_bytes()


def test_a_session_too_long_to_keep_is_sealed_unreviewed(tmp_path: Path) -> None:
    one = plan(tmp_path / "x.cassette.jsonl")
    kept = reviewing.Kept(one, limit=100)
    kept.keep(chunks())
    assert not kept.is_whole
    landing, intake = Landing(one), Intake({})
    landing.land(raw for chunk in chunks() for raw in intake.take(chunk))
    reviewer = Reviewer(APPROVED)
    sealed = kept.reviewed(landing, Intake({}), lambda review: reviewer(review.unlisted, {}))
    assert sealed.note == "the session is too long for a review"
    assert reviewer.shown == ()


def test_approved_lines_that_cannot_be_written_lose_nothing(tmp_path: Path) -> None:
    target = tmp_path / "x.cassette.jsonl"
    one = plan(target)
    landing, kept, intake = Landing(one), reviewing.Kept(one), Intake({})
    kept.keep(chunks())
    landing.land(raw for chunk in chunks() for raw in intake.take(chunk))
    (tmp_path / ".reviewed-x.cassette.jsonl").write_text("in the way")
    sealed = kept.land_again(landing, Intake({}), APPROVED)
    assert sealed.note.startswith("sealed without the approved lines: ")
    assert open_cassette(target).seal is not None


def test_the_command_asks_on_the_terminal(tmp_path: Path) -> None:
    """The whole way, with a terminal of its own: two fields shown, one approved."""
    program = tmp_path / "claude"
    body = "".join(f"print({json.dumps(json.dumps(frame))})\n" for frame in FRAMES)
    program.write_text(f"#!{sys.executable}\n{body}")
    program.chmod(0o755)
    target = tmp_path / "x.cassette.jsonl"
    words = ["turnreel", "record", "--review", "--to", str(target), "--", str(program), "-p",
             "--output-format", "stream-json", "--", "Go."]  # fmt: skip
    code = (
        "import fcntl, os, sys, termios\n"
        "fcntl.ioctl(int(sys.argv[1]), termios.TIOCSCTTY, 0)\n"
        "os.execv(sys.executable, [sys.executable, '-m', *sys.argv[2:]])\n"
    )
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", code, str(theirs), *words], cwd=tmp_path, pass_fds=[theirs],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:  # fmt: skip
        os.close(theirs)
        shown = b""
        while not shown.endswith(b"> "):
            shown += os.read(ours, 1 << 12)
        os.write(ours, b"9\n")
        while shown.count(b"> ") < 2:
            shown += os.read(ours, 1 << 12)
        os.write(ours, b"1=word\n")
        out, err = process.communicate(timeout=60)
    os.close(ours)
    assert process.returncode == 0, err
    assert len(out.splitlines()) == 3
    text = shown.decode()
    assert "frame:.build_channel (string) is in no policy, met once, masked" in text
    assert "9 chooses none of 1-2" in text
    assert "nightly" not in text
    assert (tmp_path / "turnreel-policy.txt").read_text() == APPROVED.text()
    assert open_cassette(target).header.project_policy == APPROVED.digest


def test_without_a_terminal_the_command_is_not_run(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    words = ["record", "--review", "--", "claude", "-p"]
    program = tmp_path / "claude"
    program.write_text(f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-m", "turnreel", *words],
        cwd=tmp_path, capture_output=True, start_new_session=True, stdin=subprocess.DEVNULL,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin", "HOME": str(tmp_path)}, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "turnreel: --review needs a terminal to ask on (record without it, then turnreel lint)\n"
    )
    assert not ran.exists()
