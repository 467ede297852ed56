"""Rotation: parts that continue each other, cut between turns, within a quota."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from turnreel.adapters import registry
from turnreel.adapters.steps import Answer, Call, End, Return, Say
from turnreel.cassettes import AgentInfo, Cassette, Origin, TrackSpec, open_cassette
from turnreel.lifecycle.fold import fold
from turnreel.recorder.landing import Landing
from turnreel.recorder.linting import lint
from turnreel.recorder.messages import Plan
from turnreel.recorder.rotation import Parts, Quiet, Rotation
from turnreel.replayer import refeed
from turnreel.sanitizers import Raw
from turnreel.wire import JsonUnit, LineFraming

from .conftest import INIT, Agent, result, said

PROMPT = {"type": "user", "message": {"role": "user", "content": "canary"}}


def raw(code: str, value: dict[str, Any], at_us: int) -> Raw:
    return Raw(at_us, "agent", code, JsonUnit(value, LineFraming()))


def turn(number: int, texts: int = 4) -> list[Raw]:
    """A turn of some kilobytes, a millisecond a record."""
    init = {**INIT, "cwd": "/home/somebody/project"}
    said_ = [said(f"Text {number} of user-1. " * 20, number * 100 + n) for n in range(texts)]
    last = said("Done.", number * 100 + 99)
    rows: list[tuple[str, dict[str, Any]]] = [("in", PROMPT), ("out", init)]
    rows += [("out", {**frame, "session_id": INIT["session_id"]}) for frame in (*said_, last)]
    rows.append(("out", {**result("Done."), "session_id": INIT["session_id"]}))
    begin = number * len(rows)
    return [raw(code, value, (begin + n) * 1000) for n, (code, value) in enumerate(rows)]


def landed(target: Path, raws: list[Raw], **changes: Any) -> tuple[Any, list[Cassette]]:
    fields: dict[str, Any] = {
        "target": str(target), "replaces": False, "agent": AgentInfo("claude", "2.1.332"),
        "tracks": (TrackSpec(id="agent", carrier="stdio", dialect="claude-stream-json"),),
        "profile": "fixture", "origin": Origin(kind="recorded", name="x"),
        "rotation": Rotation(part_bytes=4000),
    }  # fmt: skip
    landing = Landing(Plan(**{**fields, **changes}))
    for one in raws:
        landing.land([one])
    sealed = landing.seal()
    paths = sorted(target.parent.glob("*.cassette.jsonl*"), key=lambda p: (len(p.name), p.name))
    return sealed, [open_cassette(path) for path in paths]


def test_parts_continue_each_other_and_are_whole_turns(tmp_path: Path) -> None:
    raws = [one for number in range(6) for one in turn(number)]
    sealed, parts = landed(tmp_path / "x.cassette.jsonl", raws)
    assert [part.path.name for part in parts[:3]] == [
        "x.cassette.jsonl",
        "x.2.cassette.jsonl",
        "x.3.cassette.jsonl",
    ]
    assert sealed.records == len(raws) == sum(len(list(part)) for part in parts)
    assert sealed.note == f"{len(parts)} cassettes"
    assert sealed.path == str(parts[-1].path)
    assert parts[0].header.continues is None
    for former, part in itertools.pairwise(parts):
        assert part.header.continues == former.header.id
        assert next(iter(part)).at_us == 1000, "times go on where the former part ended"
    for part in parts:
        assert lint(part.path).found == ()
        runs = fold(refeed.events(part))
        assert runs and {run.terminal.outcome for run in runs if run.terminal} == {"completed"}


def test_placeholders_go_on_and_reports_are_of_the_part(tmp_path: Path) -> None:
    odd = [raw("out", {**INIT, "novelty": 1, "cwd": "/a", "uuid": f"{n}"}, n) for n in range(3)]
    raws = [one for n in range(3) for one in (odd[n], *turn(n)[2:])]
    _, parts = landed(tmp_path / "x.cassette.jsonl", raws, rotation=Rotation(part_bytes=2500))
    assert len(parts) == 3
    first = [next(iter(part)).data for part in parts]
    assert len({str(frame["cwd"]) for frame in first}) == 1  # type: ignore[index, call-overload]
    for part in parts:
        assert part.seal is not None and part.seal.report is not None
        assert [one["count"] for one in part.seal.report["unlisted"]] == [1]


def test_a_turn_that_does_not_end_is_broken_off_at_twice_the_size(tmp_path: Path) -> None:
    raws = turn(0, texts=60)
    _, parts = landed(tmp_path / "x.cassette.jsonl", raws)
    assert len(parts) > 2
    assert all(part.path.stat().st_size < 2 * 4000 + 3000 for part in parts)
    assert sum(len(list(part)) for part in parts) == len(raws)


def test_the_oldest_go_beyond_the_quota(tmp_path: Path) -> None:
    raws = [one for number in range(12) for one in turn(number)]
    rotation = Rotation(part_bytes=4000, quota_bytes=16_000)
    sealed, parts = landed(tmp_path / "x.cassette.jsonl", raws, rotation=rotation)
    assert sum(part.path.stat().st_size for part in parts) <= 16_000
    assert parts[0].path.name != "x.cassette.jsonl"
    assert parts[0].header.continues is not None
    assert sealed.note.endswith(" removed")
    assert len({part.header.id for part in parts}) == len(parts) >= 2


@pytest.mark.parametrize("replaces", [False, True])
def test_names_that_are_taken(tmp_path: Path, replaces: bool) -> None:
    (tmp_path / "x.2.cassette.jsonl").write_text("precious")
    raws = [one for number in range(4) for one in turn(number)]
    landed_ = Parts(tmp_path / "x.cassette.jsonl", None).next_target(replaces=replaces)
    assert landed_.name == ("x.2.cassette.jsonl" if replaces else "x.3.cassette.jsonl")
    if not replaces:
        (tmp_path / "x.2.cassette.jsonl").unlink()
        landed(tmp_path / "x.cassette.jsonl", raws)
    assert Parts(tmp_path / "odd.zst", None).next_target(replaces=False).name == "odd.2.zst"
    zst = Parts(tmp_path / "y.cassette.jsonl.zst", None).next_target(replaces=False)
    assert zst.name == "y.2.cassette.jsonl.zst"


LOOK = Answer((Say("Let me look."), Call("toolu_1", "command", {"command": "ls"})), "tool_use")
SCRIPT = (LOOK, Return("toolu_1"), Answer((Say("Done."),)), End())


def track(dialect: str, carrier: Any = "stdio") -> TrackSpec:
    return TrackSpec(id="agent", carrier=carrier, dialect=dialect)


def test_what_is_open_is_not_quiet() -> None:
    quiet = Quiet((track("claude-stream-json"),))
    assert quiet
    quiet.see(Raw(0, "provider", "request", {}, 1))
    assert not quiet
    quiet.see(raw("out", INIT, 1))
    quiet.see(Raw(2, "provider", "cut", {}, 1))
    assert not quiet
    quiet.see(raw("out", result("x"), 3))
    assert quiet
    quiet.see(raw("in", PROMPT, 4))
    assert not quiet
    quiet.see(raw("out", {**INIT, "uuid": "2"}, 5))
    quiet.see(Raw(6, "agent", "exit", {"code": 0}))
    assert not quiet, "a receipt may still come"
    quiet.see(Raw(7, "host", "unreconciled", {}))
    assert quiet


@pytest.mark.parametrize("dialect", ["codex-app-server", "codex-exec", "hermes-acp", "hermes-tui"])
def test_turns_of_every_agent_are_known(dialect: str) -> None:
    """A scripted turn is open from its first line that says so to its last."""
    quiet = Quiet((track(dialect),))
    seen = []
    for number, (code, value) in enumerate(registry.lines(dialect)(SCRIPT)):
        quiet.see(raw(code, value, number))
        seen.append(bool(quiet))
    assert not all(seen)
    assert seen[-1]
    assert seen == sorted(seen[: seen.index(False)], reverse=True) + sorted(
        seen[seen.index(False) :]
    ), "it opens once and closes once"


def test_the_command_rotates(agent: Agent) -> None:
    frames = [INIT, said("Some words. " * 100), result("Some words.")]
    agent.steps(*({"print": {**frame, "uuid": f"{n}{k}"}}
                  for n in range(6) for k, frame in enumerate(frames)), {"exit": 0})  # fmt: skip
    words = [
        "record",
        "--to",
        str(agent.target),
        "--rotate",
        "4kB",
        "--quota",
        "1MB",
        "--keep-text",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "turnreel", *words, "--", agent.program, *agent.ARGUMENTS],
        env=agent.env, cwd=agent.folder, capture_output=True, stdin=subprocess.DEVNULL, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (
        done.stderr.decode() == f"turnreel: {len(list(agent.folder.glob('*.jsonl')))} cassettes\n"
    )
    assert len(list(agent.folder.glob("*.cassette.jsonl"))) >= 3
    refused = subprocess.run(
        [sys.executable, "-m", "turnreel", "record", "--quota", "1MB", "--", "claude"],
        env=agent.env, cwd=agent.folder, capture_output=True, timeout=60,
    )  # fmt: skip
    assert refused.returncode == 2 and b"--quota needs --rotate" in refused.stderr
