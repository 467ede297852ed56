"""The writer: what it takes, what it leaves, what it never touches."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cassettes.making import OUTLINE, REPORT, clean, line
from turnreel.cassettes import CassetteError, CassetteWriter, Existing, Timing, open_cassette
from turnreel.sanitizers.records import Raw
from turnreel.wire import JsonUnit, LineFraming


def test_what_is_written_is_read(path: Path) -> None:
    with CassetteWriter(path, OUTLINE) as writer:
        for n in range(3000):
            writer.write(line(n))
        seal = writer.seal(REPORT)
        assert writer.header is not None
    cassette = open_cassette(path)
    assert cassette.header == writer.header
    assert [(r.number, r.at_us, r.data) for r in cassette] == [
        (n + 1, n * 1000, {"type": "tick", "n": n}) for n in range(3000)
    ]
    assert cassette.seal == seal
    assert seal.records == 3000 == writer.records
    assert seal.report is not None and seal.report["replaced"] == {"key": 1}


def test_both_encodings_hold_the_same_bytes(tmp_path: Path) -> None:
    seals = []
    for name in ("a.jsonl", "a.jsonl.zst"):
        with CassetteWriter(tmp_path / name, OUTLINE) as writer:
            writer.write_all(line(n) for n in range(5000))
            seals.append(writer.seal(REPORT))
    plain, packed = (open_cassette(tmp_path / name) for name in ("a.jsonl", "a.jsonl.zst"))
    assert seals[0] == seals[1]
    assert list(plain.lines()) == list(packed.lines())
    assert packed.path.stat().st_size * 5 < plain.path.stat().st_size


def test_the_id_derives_from_the_content(tmp_path: Path) -> None:
    ids = []
    for name, first in (("a", 1), ("b", 1), ("c", 2)):
        with CassetteWriter(tmp_path / name, OUTLINE) as writer:
            writer.write(line(first))
            assert writer.header is not None
            ids.append(writer.header.id)
    assert ids[0] == ids[1] != ids[2]
    assert len(ids[0]) == 16


def test_a_raw_record_is_refused(path: Path) -> None:
    raw = Raw(0, "agent", "out", JsonUnit({}, LineFraming()))
    with CassetteWriter(path, OUTLINE) as writer, pytest.raises(TypeError, match="Raw"):
        writer.write(raw)  # type: ignore[arg-type]
    assert not path.exists()


def test_a_new_file_is_private(path: Path) -> None:
    with CassetteWriter(path, OUTLINE) as writer:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        writer.write(line(0))
        writer.seal(REPORT)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_existing_file_is_refused_and_kept(path: Path) -> None:
    path.write_bytes(b"precious")
    with pytest.raises(CassetteError, match="exists already") as told:
        CassetteWriter(path, OUTLINE)
    assert told.value.path == str(path) and told.value.remedy
    assert path.read_bytes() == b"precious"


def test_a_replaced_file_stays_until_the_seal(path: Path) -> None:
    path.write_bytes(b"precious")
    with CassetteWriter(path, OUTLINE, Existing.REPLACE) as writer:
        writer.write(line(0))
        assert path.read_bytes() == b"precious"
        writer.seal(REPORT)
    assert open_cassette(path).seal is not None
    assert sorted(path.parent.iterdir()) == [path]


def test_a_replacement_that_fails_leaves_the_old_file(path: Path) -> None:
    path.write_bytes(b"precious")
    with CassetteWriter(path, OUTLINE, Existing.REPLACE):
        pass
    assert path.read_bytes() == b"precious"
    assert sorted(path.parent.iterdir()) == [path]


def test_a_part_that_was_left_is_not_overwritten(path: Path) -> None:
    part = path.with_name(path.name + ".part")
    part.write_bytes(b"left by a kill")
    with pytest.raises(CassetteError, match=r"\.part: exists already"):
        CassetteWriter(path, OUTLINE, Existing.REPLACE)
    assert part.read_bytes() == b"left by a kill"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CassetteError, match="no such file or directory"):
        CassetteWriter(tmp_path / "missing" / "x.jsonl", OUTLINE)


def test_nothing_written_leaves_no_file(path: Path) -> None:
    with CassetteWriter(path, OUTLINE):
        assert path.stat().st_size == 0
    assert not path.exists()


def test_a_session_without_records_can_be_sealed(path: Path) -> None:
    with CassetteWriter(path, OUTLINE) as writer:
        writer.seal(REPORT)
    cassette = open_cassette(path)
    assert list(cassette) == []
    assert cassette.seal is not None and cassette.seal.records == 0


def test_every_write_is_on_disk_when_it_returns(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with CassetteWriter(path, OUTLINE) as writer:
        for n in range(3):
            writer.write(line(n))
            assert len(list(open_cassette(path))) == n + 1


def test_a_flush_brings_compressed_records_to_disk(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl.zst"
    with CassetteWriter(path, OUTLINE) as writer:
        writer.write(line(0))
        assert path.stat().st_size == 0
        writer.flush()
        assert [record.number for record in open_cassette(path)] == [1]


def test_what_is_closed_without_a_seal_keeps_all_it_took(path: Path) -> None:
    """Also what compression still held: a session shorter than a frame would leave nothing."""
    with CassetteWriter(path, OUTLINE) as writer:
        writer.write_all(line(n) for n in range(3))
    assert open_cassette(path).ending() == (3, 2_000, None)


def test_what_is_discarded_leaves_nothing(path: Path) -> None:
    with CassetteWriter(path, OUTLINE) as writer:
        writer.write_all(line(n) for n in range(20_000))
        writer.discard()
    assert not path.exists()


def test_time_never_runs_back(path: Path) -> None:
    with CassetteWriter(path, OUTLINE) as writer:
        for at_us in (5000, 2000, 6000):
            writer.write(clean(at_us, {}, "note"))
        writer.seal(REPORT)
    assert [record.at_us for record in open_cassette(path)] == [5000, 5000, 6000]


def test_what_is_written_can_be_read_whatever_the_clock_said(path: Path) -> None:
    with CassetteWriter(path, OUTLINE) as writer:
        writer.write(clean(10**300, {}, "note"))
        writer.seal(REPORT)
    assert open_cassette(path).ending().records == 1


def test_normalized_times_are_round(path: Path) -> None:
    with CassetteWriter(path, OUTLINE, timing=Timing.NORMALIZED) as writer:
        for at_us in (0, 312, 4_700, 1_900_000):
            writer.write(clean(at_us, {}, "note"))
        writer.seal(REPORT)
    assert [record.at_us for record in open_cassette(path)] == [0, 0, 5_000, 2_005_000]


def test_a_compressed_cassette_belongs_to_one_thread(tmp_path: Path) -> None:
    told: list[BaseException] = []
    with CassetteWriter(tmp_path / "t.jsonl.zst", OUTLINE) as writer:
        writer.write(line(0))

        def elsewhere() -> None:
            try:
                writer.flush()
            except RuntimeError as error:
                told.append(error)

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        assert "one thread" in str(told[0])


def test_a_full_disk_is_told_and_what_was_written_reads(
    tmp_path: Path, written: Callable[[int], Path]
) -> None:
    path = tmp_path / "small.jsonl"
    program = f"""
import resource, signal
from pathlib import Path
import sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from tests.cassettes.making import OUTLINE, line
from turnreel.cassettes import CassetteWriter
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
writer = CassetteWriter({str(path)!r}, OUTLINE)
for n in range(1000):
    writer.write(line(n))
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "CassetteError" in ended.stderr and "file too large" in ended.stderr
    assert path.stat().st_size == 4000
    assert len(list(open_cassette(path))) > 50


def test_a_killed_writer_loses_nothing_it_wrote(path: Path) -> None:
    program = f"""
import sys, time
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from tests.cassettes.making import OUTLINE, line
from turnreel.cassettes import CassetteWriter
writer = CassetteWriter({str(path)!r}, OUTLINE)
for n in range(700):
    writer.write(line(n))
writer.flush()
print("written", flush=True)
sys.stdin.read()
"""
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin and child.stdout
    assert child.stdout.readline() == b"written\n"
    os.kill(child.pid, signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL
    child.stdin.close()
    child.stdout.close()
    cassette = open_cassette(path)
    assert cassette.ending() == (700, 699_000, None)
