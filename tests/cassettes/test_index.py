"""Random access gives what reading from the beginning gives."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cassettes.making import FIXTURES
from turnreel.cassettes import open_cassette
from turnreel.cassettes.index import read_index, records_from


@pytest.mark.parametrize("number", [1, 2, 900, 4_999, 5_000, 5_001, 12_000, 12_001])
def test_records_from_any_number(written: Callable[[int], Path], number: int) -> None:
    cassette = open_cassette(written(12_000))
    assert list(records_from(cassette, number)) == list(cassette)[number - 1 :]


def test_a_small_cassette_is_one_frame() -> None:
    cassette = open_cassette(FIXTURES / "full.cassette.jsonl.zst")
    assert [(start.offset, start.number) for start in read_index(cassette)] == [(0, 1)]


def test_the_index_is_used(written: Callable[[int], Path]) -> None:
    path = written(12_000)
    cassette = open_cassette(path)
    starts = read_index(cassette)
    if path.suffix != ".zst":
        assert starts == []
        return
    assert len(starts) > 5
    damaged = bytearray(path.read_bytes())
    damaged[4 : starts[3].offset] = b"\x00" * (starts[3].offset - 4)  # it need not be read
    path.write_bytes(damaged)
    assert next(records_from(cassette, starts[3].number)).number == starts[3].number


@pytest.mark.parametrize("cut", [1, 4, 9, 30])
def test_a_damaged_index_is_as_good_as_none(written: Callable[[int], Path], cut: int) -> None:
    path = written(12_000)
    if path.suffix != ".zst":
        return
    cassette = open_cassette(path)
    path.write_bytes(path.read_bytes()[:-cut])
    assert read_index(cassette) == []
    assert next(records_from(cassette, 11_000)).number == 11_000


def test_a_lying_index_is_as_good_as_none(tmp_path: Path) -> None:
    from turnreel.cassettes.encodings import FrameStart, index_frame

    source = (FIXTURES / "full.cassette.jsonl.zst").read_bytes()
    path = tmp_path / "lying.zst"
    lies = [
        [FrameStart(0, 1, 0), FrameStart(1 << 40, 2, 0)],
        [FrameStart(0, 5, 0), FrameStart(10, 2, 0)],
        [FrameStart(-1, 1, 0)],
    ]
    for lie in lies:
        path.write_bytes(source + index_frame(lie))
        assert read_index(open_cassette(path)) == []
        assert next(records_from(open_cassette(path), 3)).number == 3


def test_other_decompressors_pass_over_the_index() -> None:
    try:
        ended = subprocess.run(
            ["zstd", "-dc", FIXTURES / "full.cassette.jsonl.zst"], capture_output=True, check=True
        ).stdout
    except FileNotFoundError:
        import zstandard

        with (FIXTURES / "full.cassette.jsonl.zst").open("rb") as file:
            reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
            ended = reader.read()
    assert ended == (FIXTURES / "full.cassette.jsonl").read_bytes()
