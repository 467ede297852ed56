"""Rollouts: a track without runs, nothing private in it; and how a turn ended that was cut."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import zstandard

from tests.recorder.rollouts import ROLLOUT, THREAD, complete, done, event, said, write
from turnreel.adapters import registry
from turnreel.adapters.openai_responses.render import item_id
from turnreel.adapters.steps import Answer, Call, End, Return, Say
from turnreel.cassettes import open_cassette
from turnreel.conformance.goldens import turn_text
from turnreel.recorder import RecorderError
from turnreel.recorder.linting import lint
from turnreel.recorder.rollouts import FORM, import_rollout
from turnreel.recorder.rows import last_rows
from turnreel.replayer import refeed


@pytest.mark.parametrize("profile", ["strict", "fixture"])
def test_a_rollout_is_a_track_without_runs(tmp_path: Path, profile: str) -> None:
    target = tmp_path / "r.cassette.jsonl"
    source = write(tmp_path / "r.jsonl", ROLLOUT)
    import_rollout(source, target, profile="strict" if profile == "strict" else "fixture")
    cassette = open_cassette(target)
    assert [track.dialect for track in cassette.header.tracks] == ["codex-rollout"]
    assert (cassette.header.agent.name, cassette.header.agent.version) == ("codex", "0.171.0")
    assert cassette.header.origin.source == "rollout"
    assert any("streamed" in lack for lack in cassette.header.lacks)
    assert refeed.events(cassette) == []
    records = list(cassette)
    assert len(records) == len(ROLLOUT)
    assert records[3].data == {"type": "world_state"}
    text = target.read_text()
    assert "canary" not in text and THREAD not in text
    assert ("All is well." in text) == (profile == "fixture")
    assert lint(target).found == ()


def test_a_packed_rollout_is_the_same(tmp_path: Path) -> None:
    source = write(tmp_path / "r.jsonl", ROLLOUT)
    packed = tmp_path / "r.jsonl.zst"
    packed.write_bytes(zstandard.compress(source.read_bytes()))
    for name, path in (("1", source), ("2", packed)):
        import_rollout(path, tmp_path / f"{name}.cassette.jsonl")
    one, other = ((tmp_path / f"{n}.cassette.jsonl").read_bytes() for n in (1, 2))
    assert one == other


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names no session"),
        ('{"type":"event_msg","payload":{}}\n', "names no session"),
        ('{"type":"session_meta","payload":[]}\n', "names no session"),
        ("not json\n", ":1: is not JSON"),
        ("[]\n", ":1: is no row of a rollout"),
    ],
)
def test_what_is_no_rollout_leaves_nothing(tmp_path: Path, text: str, message: str) -> None:
    source, target = tmp_path / "r.jsonl", tmp_path / "r.cassette.jsonl"
    source.write_text(text)
    with pytest.raises(RecorderError) as caught:
        import_rollout(source, target)
    assert message in caught.value.message
    assert "~/.codex/sessions" in caught.value.remedy
    assert not target.exists()


def test_the_command_imports_one(tmp_path: Path) -> None:
    source = write(tmp_path / "r.jsonl", ROLLOUT)
    words = ["import", "rollout", str(source), "--to", str(tmp_path / "r.cassette.jsonl")]
    run = subprocess.run(
        [sys.executable, "-m", "turnreel", *words], capture_output=True, text=True, timeout=60
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.endswith(f"{len(ROLLOUT)} records\n")


def test_of_its_end_only_what_tells_how_turns_ended(tmp_path: Path) -> None:
    source = write(tmp_path / "r.jsonl", ROLLOUT)
    kinds = [row["payload"]["type"] for row in last_rows(FORM, source, 0)]
    assert kinds == ["item_completed", "item_completed", "item_completed", "task_complete"]
    assert list(last_rows(FORM, source, time.time())) == []


LOOK = Answer((Say("I look first."), Call("call_1", "command", {"command": "ls"})), "tool_use")
SCRIPT = (LOOK, Return("call_1"), Answer((Say("All is well."),)), End())
FAKE = """
import os, sys
from pathlib import Path
folder = Path(os.environ["HOME"])
sys.stdout.write((folder / "out").read_text())
sys.stdout.flush()
kept = folder / ".codex/sessions/2026/01/31"
kept.mkdir(parents=True)
(kept / "rollout-x.jsonl").write_text((folder / "kept").read_text())
"""


def recorded(folder: Path, rows: list[dict[str, Any]], cut: int) -> str:
    """The turn of an app-server that printed all but its last `cut` lines, and kept `rows`."""
    lines = list(registry.lines("codex-app-server")(SCRIPT))
    printed = [line for side, line in lines if side == "out"]
    del printed[len(printed) - cut :]
    (folder / "out").write_text("".join(json.dumps(line) + "\n" for line in printed))
    at = time.strftime("%Y-%m-%dT%H:%M:%S.900Z", time.gmtime(time.time() + 60))
    write(folder / "kept", [{**row, "timestamp": at} for row in rows])
    program = folder / "codex"
    program.write_text(f"#!{sys.executable}\n{FAKE}")
    program.chmod(0o755)
    target = folder / "x.cassette.jsonl"
    words = ["record", "--keep-text", "--to", str(target), "--", str(program), "app-server"]
    done = subprocess.run(
        [sys.executable, "-m", "turnreel", *words],
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder)},
        input="".join(json.dumps(line) + "\n" for side, line in lines if side == "in"),
        text=True, capture_output=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert lint(target).found == ()
    return turn_text(refeed.events(open_cassette(target)))


NATIVE = "00000001-0000-7000-8000-000000000001"
"""The id of the turn in the app-server's own frames."""


def kept(*rows: dict[str, Any], turn: str = NATIVE) -> list[dict[str, Any]]:
    """The rows of a turn, from its first comment."""
    told = (said(2, item_id(1, 1), "I look first.", "commentary"), done(3), *rows)
    return [ROLLOUT[0], *({**r, "payload": {**r["payload"], "turn_id": turn}} for r in told)]


DONE = (said(4, item_id(2, 1), "All is well."), complete(5))
DENIED = {"message": "x", "codex_error_info": "unauthorized"}


@pytest.mark.parametrize("cut", [1, 4, 6])
@pytest.mark.parametrize(
    ("rows", "ending"),
    [
        (kept(*DONE), 'final "All is well." degraded'),
        (kept(*DONE, turn=NATIVE.replace("1", "2")), "failed incomplete degraded"),
        (kept(*DONE[:1]), "failed incomplete degraded"),
        (kept(complete(5)), "failed incomplete degraded"),
        (kept(complete(5, error=DENIED)), "failed auth degraded"),
        (kept(event("turn_aborted", reason="interrupted")), "failed incomplete degraded"),
    ],
)
def test_a_cut_turn_ends_as_its_rollout_says(
    tmp_path: Path, rows: list[dict[str, Any]], ending: str, cut: int
) -> None:
    assert recorded(tmp_path, rows, cut).splitlines()[-1].strip() == ending


def test_what_is_at_odds_with_the_stream_is_no_receipt(tmp_path: Path) -> None:
    rows = kept(said(4, item_id(2, 1), "Nothing is."), complete(5))
    assert recorded(tmp_path, rows, 1).splitlines()[-1].strip() == "failed incomplete degraded"


def test_of_a_turn_that_ended_nothing_is_kept(tmp_path: Path) -> None:
    told = recorded(tmp_path, kept(*DONE), 0)
    assert told.splitlines()[-1].strip() == 'final "All is well." healthy'
    assert "rollout" not in {r.track for r in open_cassette(tmp_path / "x.cassette.jsonl")}
