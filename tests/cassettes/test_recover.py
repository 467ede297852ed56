"""Recovery: what a killed recorder left is sealed, and nothing is lost or overwritten."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cassettes.making import FIXTURES, OUTLINE, line
from turnreel.cassettes import CassetteError, CassetteWriter, open_cassette
from turnreel.cassettes.recover import recover

INTERRUPTED = FIXTURES / "interrupted.cassette.jsonl"


def test_recovered_in_its_place(tmp_path: Path) -> None:
    path = Path(shutil.copy(INTERRUPTED, tmp_path))
    before = list(open_cassette(path))
    lines = list(open_cassette(path).lines())
    seal = recover(path)
    assert (seal.records, seal.recovered, seal.unchecked) == (2, True, ("literals",))
    cassette = open_cassette(path)
    assert list(cassette) == before
    assert list(cassette.lines())[:3] == lines[:3]
    assert cassette.seal == seal
    assert list(tmp_path.iterdir()) == [path]


def test_recovered_elsewhere_leaves_the_source(tmp_path: Path) -> None:
    source = INTERRUPTED.read_bytes()
    out = tmp_path / "whole.cassette.jsonl.zst"
    seal = recover(INTERRUPTED, out)
    assert INTERRUPTED.read_bytes() == source
    assert open_cassette(out).seal == seal
    assert out.read_bytes()[:4] == b"\x28\xb5\x2f\xfd"


def test_what_is_sealed_says_so(written: Callable[[int], Path]) -> None:
    path = written(3)
    before = path.read_bytes()
    with pytest.raises(CassetteError, match="is sealed already"):
        recover(path)
    assert path.read_bytes() == before


def test_an_existing_target_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_bytes(b"precious")
    with pytest.raises(CassetteError, match="exists already"):
        recover(INTERRUPTED, out)
    assert out.read_bytes() == b"precious"


def test_damage_before_the_end_is_not_papered_over(tmp_path: Path) -> None:
    path = tmp_path / "damaged.jsonl"
    path.write_bytes(INTERRUPTED.read_bytes().replace(b'[4000,"agent"', b"[4000,oops", 1))
    before = path.read_bytes()
    with pytest.raises(CassetteError, match=r"damaged\.jsonl:3: neither"):
        recover(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_record_that_only_lacks_its_newline_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    head, first, *_ = INTERRUPTED.read_bytes().splitlines(keepends=True)
    path.write_bytes(head + first.rstrip(b"\n"))
    assert recover(path).records == 1
    assert list(open_cassette(path).lines())[1] == first


def test_a_cut_compressed_cassette(tmp_path: Path) -> None:
    path = tmp_path / "t.cassette.jsonl.zst"
    with CassetteWriter(path, OUTLINE) as writer:
        for n in range(20_000):
            writer.write(line(n))
    path.write_bytes(path.read_bytes()[:-100])
    records = open_cassette(path).ending().records
    assert 0 < records < 20_000
    assert recover(path).records == records
    assert [r.number for r in open_cassette(path)] == list(range(1, records + 1))


def test_unknown_fields_survive(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    head, first, *_ = INTERRUPTED.read_bytes().splitlines(keepends=True)
    head = head.replace(b'"rules":1', b'"rules":1,"mood":"good"')
    first = first.replace(b"]\n", b',{},"more"]\n')
    path.write_bytes(head + first)
    recover(path)
    assert list(open_cassette(path).lines())[:2] == [head, first]


def test_what_is_still_being_recorded_is_left_alone(path: Path) -> None:
    """Replaced under a living recorder, all that it still writes would be lost."""
    with CassetteWriter(path, OUTLINE) as writer:
        writer.write_all(line(n) for n in range(5_000))
        writer.flush()
        before = path.read_bytes()
        with pytest.raises(CassetteError, match="is being recorded right now"):
            recover(path)
        assert path.read_bytes() == before
    assert recover(path).records == 5_000


def test_what_nobody_can_read_is_not_sealed(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    head, first, *_ = INTERRUPTED.read_bytes().splitlines(keepends=True)
    path.write_bytes(head + first + b'[1,"agent","out",1e999]\n')
    with pytest.raises(CassetteError, match=r"t\.jsonl:3: holds no JSON value"):
        recover(path)
    assert list(tmp_path.iterdir()) == [path]


def test_blank_lines_are_no_records(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    head, first, second, *_ = INTERRUPTED.read_bytes().splitlines(keepends=True)
    path.write_bytes(head + b"\n" + first + b"\n\n" + second + b'[4000,"ag')
    assert recover(path).records == 2
    assert list(open_cassette(path).lines())[:3] == [head, first, second]


def test_a_link_stays_one(tmp_path: Path) -> None:
    path = Path(shutil.copy(INTERRUPTED, tmp_path / "real.jsonl"))
    link = tmp_path / "link.jsonl"
    link.symlink_to(path.name)
    seal = recover(link)
    assert link.is_symlink()
    assert open_cassette(path).seal == seal


@pytest.mark.parametrize("out", [None, "other.jsonl"])
def test_a_disk_that_is_full_leaves_everything_as_it_was(tmp_path: Path, out: str | None) -> None:
    path = tmp_path / "t.jsonl"
    with CassetteWriter(path, OUTLINE) as writer:
        writer.write_all(line(n) for n in range(100))
    before = path.read_bytes()
    words = [str(path)] if out is None else [str(path), str(tmp_path / out)]
    program = (
        "import resource, signal, sys\n"
        "from turnreel.cassettes.recover import recover\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try:\n"
        "    recover(*sys.argv[1:])\n"
        "except Exception as error:\n"
        "    print(error)\n"
    )
    child = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=True
    )
    assert "file too large" in child.stdout
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    assert recover(path).records == 100


def test_long_lines_are_not_piled_up(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    head = INTERRUPTED.read_bytes().splitlines(keepends=True)[0]
    with path.open("wb") as file:
        file.write(head)
        for _ in range(16):
            file.write(b'[1,"agent","out","' + b"x" * (8 << 20) + b'"]\n')
    tracemalloc.start()
    assert recover(path).records == 16
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64 << 20
