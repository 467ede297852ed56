"""The sealing process from the capturing side: opening, stalling, dying."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from pathlib import Path

import msgspec
import pytest

from turnreel.cassettes import AgentInfo, Origin, TrackSpec, open_cassette
from turnreel.recorder import sealer as sealing_side
from turnreel.recorder.errors import RecorderError
from turnreel.recorder.messages import Chunk, Fact, Over, Plan
from turnreel.recorder.sealer import Sealer


def plan(target: Path) -> Plan:
    return Plan(
        target=str(target),
        replaces=False,
        agent=AgentInfo("claude"),
        tracks=(TrackSpec(id="agent", carrier="stdio", dialect="claude-stream-json"),),
        profile="fixture",
        origin=Origin(kind="recorded"),
    )


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "x.cassette.jsonl"


def line(number: int, pad: int = 0) -> Chunk:
    frame = {"type": "user", "n": number, "pad": "x" * pad}
    return Chunk(number, "agent", "out", None, msgspec.json.encode(frame) + b"\n")


def wait_for_records(target: Path, count: int) -> None:
    """Until so many of them are in the file."""
    deadline = time.monotonic() + 20
    while len(target.read_bytes().splitlines()) <= count:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def opened(target: Path, high_water: int = 1 << 20) -> Sealer:
    sealer = Sealer(plan(target), high_water)
    sealer.wait_until_open()
    return sealer


def test_what_was_put_is_sealed_in_order(target: Path) -> None:
    sealer = opened(target)
    for number in range(1, 2001):
        sealer.put(line(number))
    sealer.put(Over(2001, "agent", "out", None))
    sealer.put(Fact(2002, "agent", "exit", None, {"code": 0}))
    sealed = sealer.finish()
    assert (sealed.path, sealed.records) == (str(target), 2001)
    cassette = open_cassette(target)
    assert cassette.seal is not None
    assert [record.at_us for record in cassette] == [*range(1, 2001), 2002]


def test_beyond_the_high_water_mark_putting_waits_for_the_sealing(target: Path) -> None:
    """A stopped sealing process takes nothing: putting blocks, and goes on with it."""
    sealer = opened(target, high_water=100_000)
    child = sealer._process.pid  # nothing else names it
    os.kill(child, signal.SIGSTOP)
    began = time.monotonic()
    with subprocess.Popen(["sh", "-c", f"sleep 0.5; kill -CONT {child}"]):
        for number in range(1, 400):
            sealer.put(line(number, pad=10_000))
            assert sealer._size <= 100_000
        assert time.monotonic() - began >= 0.4
    assert sealer.finish().records == 399


@pytest.mark.parametrize("goes_on", [True, False])
def test_a_sealing_process_that_stalls_is_given_up_and_not_waited_for(
    target: Path, monkeypatch: pytest.MonkeyPatch, goes_on: bool
) -> None:
    """Hung up, it leaves what it has when it goes on; one that never does is killed."""
    sealer = opened(target, high_water=100_000)
    monkeypatch.setattr(sealing_side, "STALL_SECONDS", 0.3)
    monkeypatch.setattr(sealing_side, "GRACE_SECONDS", 20.0 if goes_on else 0.2)
    for number in (1, 2):
        sealer.put(line(number))
        wait_for_records(target, number)
    child = sealer._process.pid  # nothing else names it
    os.kill(child, signal.SIGSTOP)
    for number in range(3, 400):
        sealer.put(line(number, pad=10_000))
    if goes_on:
        os.kill(child, signal.SIGCONT)
    with pytest.raises(RecorderError, match=r"took nothing any more: .* is unsealed"):
        sealer.finish()
    cassette = open_cassette(target)
    assert cassette.seal is None
    found = [record.at_us for record in cassette]
    assert found[:2] == [1, 2]
    assert (len(found) > 2) == goes_on, "what had reached it is not lost"
    sealer.close()


def test_a_name_that_is_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecorderError, match="the name is not UTF-8"):
        Sealer(plan(tmp_path / os.fsdecode(b"\xff.cassette.jsonl")))
    assert list(tmp_path.iterdir()) == []


def test_nothing_recorded_leaves_no_file(target: Path) -> None:
    sealer = opened(target)
    assert sealer.finish().path is None
    assert not target.exists()


def test_letting_go_without_finish_leaves_it_unsealed(target: Path) -> None:
    sealer = opened(target)
    sealer.put(line(1))
    sealer.put(Chunk(2, "agent", "out", None, b'{"half":'))
    sealer.close()
    cassette = open_cassette(target)
    assert cassette.seal is None
    assert len(list(cassette)) == 1


def test_a_target_that_exists_is_refused(target: Path) -> None:
    target.write_text("precious")
    sealer = Sealer(plan(target))
    with pytest.raises(RecorderError, match="exists already") as caught:
        sealer.wait_until_open()
    assert "--force" in caught.value.remedy
    assert target.read_text() == "precious"


def test_a_folder_that_is_not_there_is_one_clear_error(tmp_path: Path) -> None:
    sealer = Sealer(plan(tmp_path / "no" / "x.cassette.jsonl"))
    with pytest.raises(RecorderError, match="no such file or directory"):
        sealer.wait_until_open()


def test_a_sealing_process_that_is_killed_is_told_at_the_end(target: Path) -> None:
    sealer = opened(target)
    sealer.put(line(1))
    sealer._process.kill()
    sealer._process.wait()
    for number in range(2, 100):
        sealer.put(line(number))
    with pytest.raises(RecorderError, match="was killed") as caught:
        sealer.finish()
    assert "turnreel recover" in caught.value.remedy


def test_a_disk_that_is_full_is_told_and_the_rest_is_kept(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        return
    target = tmp_path / "x.cassette.jsonl"
    sealer = opened(target)
    sealer.put(line(1))
    while not target.stat().st_size:
        sealer.put(line(1))
        time.sleep(0.01)
    before = len(target.read_bytes())
    limit_file_size(sealer._process.pid, before)
    for number in range(2, 4000):
        sealer.put(line(number, pad=200))
    with pytest.raises(RecorderError, match="file too large"):
        sealer.finish()
    assert len(list(open_cassette(target))) >= 1


def limit_file_size(pid: int, size: int) -> None:
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, size))
