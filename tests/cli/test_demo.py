"""The demo: everything at once, and every scene comes out as it must."""

from __future__ import annotations

from pathlib import Path

from tests.cli.command import Turnreel
from turnreel.cli.demo import RECORDED, REPLAYS


def test_the_demo_ends_well(turnreel: Turnreel, tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    answer = turnreel("demo", "--to", "demo", env={"PATH": "/usr/bin:/bin"})
    assert (answer.status, answer.err) == (0, "")
    for scene in (RECORDED, *REPLAYS):
        assert (folder / scene.file).exists()
        [row] = [line for line in answer.out.splitlines() if line.startswith(f"{scene.name}  ")]
        assert all(word in row for word in scene.expected)
    assert str(folder) in answer.out
    assert "verified 4 cassettes" in answer.out
