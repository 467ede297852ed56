"""The reader: bounds, and one clear line for whatever is wrong."""

from __future__ import annotations

import json
import os
import tempfile
import tracemalloc
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tests.cassettes.making import FIXTURES, OUTLINE, REPORT, line
from turnreel.cassettes import CassetteError, CassetteWriter, open_cassette, unit_of
from turnreel.cassettes.source import CHUNK
from turnreel.wire import JsonUnit, LineFraming, SseFraming, TextUnit, TornUnit

HEAD = (FIXTURES / "minimal.cassette.jsonl").read_bytes().splitlines(keepends=True)[0]
RECORD = b'[5,"agent","out",{"a":1}]\n'
MIB = 1024 * 1024


def refusal(path: Path) -> CassetteError:
    """What is told when everything of a cassette is read."""
    with pytest.raises(CassetteError) as told:
        open_cassette(path).ending()
    message = str(told.value)
    assert str(path) in message and "\n" not in message and len(message) < 400
    assert told.value.remedy
    return told.value


def test_minimal_fixture() -> None:
    cassette = open_cassette(FIXTURES / "minimal.cassette.jsonl")
    (record,) = cassette
    assert unit_of(record) == JsonUnit({"type": "result", "result": "Hello."}, LineFraming())
    assert cassette.seal is not None


def test_full_fixture_holds_every_code_and_extra() -> None:
    cassette = open_cassette(FIXTURES / "full.cassette.jsonl")
    records = list(cassette)
    units = {record.code: unit_of(record) for record in records}
    codes = "in out err eof signal exit request response data end cut message unreconciled note gap"
    assert set(codes.split()) == units.keys()
    framings = [unit_of(record).framing for record in records]
    assert SseFraming("message_start") in framings
    assert LineFraming("") in framings
    kinds = {type(unit_of(record)) for record in records}
    assert kinds == {JsonUnit, TextUnit, TornUnit}
    assert cassette.seal is not None


def test_compressed_fixture_is_the_same_session() -> None:
    plain = open_cassette(FIXTURES / "full.cassette.jsonl")
    packed = open_cassette(FIXTURES / "full.cassette.jsonl.zst")
    assert packed.header == plain.header
    assert list(packed) == list(plain)
    assert packed.seal == plain.seal


def test_interrupted_fixture_reads_to_its_last_whole_record() -> None:
    cassette = open_cassette(FIXTURES / "interrupted.cassette.jsonl")
    assert [record.number for record in cassette] == [1, 2]
    assert cassette.seal is None


def test_content_decides_not_the_name(written: Callable[[int], Path]) -> None:
    path = written(10)
    renamed = path.rename(path.with_name("name.without.meaning"))
    assert open_cassette(renamed).ending().records == 10


@pytest.mark.parametrize("cut", range(1, 60))
def test_any_cut_of_the_end_is_an_interrupted_cassette(cut: int, tmp_path: Path) -> None:
    source = HEAD + RECORD * 3
    path = tmp_path / "cut.jsonl"
    path.write_bytes(source[:-cut])
    whole = (len(source) - cut - len(HEAD) + 1) // len(RECORD)  # the newline may be what is cut
    assert open_cassette(path).ending() == (whole, whole * 5, None)


def test_a_cut_seal_is_none(written: Callable[[int], Path], tmp_path: Path) -> None:
    source = (FIXTURES / "minimal.cassette.jsonl").read_bytes()
    path = tmp_path / "cut.jsonl"
    path.write_bytes(source[:-5])
    assert open_cassette(path).ending() == (1, 0, None)


def test_a_cut_compressed_cassette_reads_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl.zst"
    with CassetteWriter(path, OUTLINE) as writer:
        writer.write_all(line(n) for n in range(10_000))
        writer.seal(REPORT)
    whole = path.read_bytes()
    counts = []
    for part in (0.3, 0.6, 0.9):
        path.write_bytes(whole[: int(len(whole) * part)])
        records, _, seal = open_cassette(path).ending()
        assert seal is None
        counts.append(records)
    assert 0 < counts[0] < counts[1] < counts[2] < 10_000


def test_unknown_codes_fields_and_elements_are_ignored(tmp_path: Path) -> None:
    header = json.loads(HEAD) | {"mood": "good", "tracks": [
        {"id": "agent", "carrier": "stdio", "dialect": "x", "colour": "red"}]}  # fmt: skip
    path = tmp_path / "new.jsonl"
    path.write_text(
        json.dumps(header)
        + '\n[5,"agent","teleport",{"to":"mars"},{"n":1,"zeal":true},"more",{"even":"more"}]\n'
    )
    cassette = open_cassette(path)
    (record,) = cassette
    assert (record.code, record.data, record.exchange) == ("teleport", {"to": "mars"}, 1)
    assert cassette.header.tracks[0].dialect == "x"


SHAPELESS = "neither a record nor a seal"
DEEP_DATA = b'[1,"a","out",' + b"[" * 300 + b"]" * 300 + b"]\n"
DEEP_EXTRA = b'[1,"a","out",1,' + b'{"a":' * 300 + b"1" + b"}" * 300 + b"]\n"
BOTTOMLESS = b'[1,"a","out",' + b"[" * 200_000 + b"]\n"
COUNTS_TWO = b'{"seal":{"records":2,"digest":"sha256:0"}}\n'
WRONG_DIGEST = b'{"seal":{"records":1,"digest":"sha256:0"}}\n'


def test_blank_lines_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "blank.jsonl"
    path.write_bytes(HEAD + b"\n" + RECORD + b"\n\n" + RECORD)
    assert open_cassette(path).ending().records == 2
    path.write_bytes(HEAD + b"\n" + RECORD + b"\n\n" + RECORD + b"[")
    assert open_cassette(path).ending().records == 2


REFUSED: list[tuple[str, bytes, str, int | None]] = [
    ("empty", b"", "the file is empty", None),
    ("binary", b"\x00\x01\x02\xff" * 100, "not a cassette", 1),
    ("other JSON", b'{"log":{"version":"1.2"}}\n', "not a cassette", 1),
    ("an array", b"[1,2]\n", "not a cassette", 1),
    ("cut header", HEAD[:40], "ends inside its header", 1),
    ("newer major", b'{"turnreel":2,"id":"x","future":true}\n', "format 2, this turnreel", 1),
    ("bad header", b'{"turnreel":1,"id":"x"}\n', "bad header", 1),
    ("major in words", b'{"turnreel":"1","id":"x"}\n', "not a cassette", 1),
    ("no major yet", b'{"turnreel":0,"id":"x"}\n', "not a cassette", 1),
    ("not JSON", HEAD + RECORD + b"oops\n" + RECORD, SHAPELESS, 3),
    ("short record", HEAD + b'[1,"agent"]\n', SHAPELESS, 2),
    ("time runs back", HEAD + b'[-1,"agent","out",{}]\n', SHAPELESS, 2),
    ("time without end", HEAD + b'[1%b,"agent","out",{}]\n' % (b"0" * 300), SHAPELESS, 2),
    ("time in words", HEAD + b'["1","agent","out",{}]\n', SHAPELESS, 2),
    ("an object", HEAD + RECORD + b'{"a":1}\n', SHAPELESS, 3),
    ("bad seal", HEAD + RECORD + b'{"seal":{"records":"many"}}\n', SHAPELESS, 3),
    ("wrong count", HEAD + RECORD + COUNTS_TWO, "counts 2 records", 3),
    ("wrong digest", HEAD + RECORD + WRONG_DIGEST, "the digest", 3),
    ("deep", HEAD + RECORD + DEEP_DATA + RECORD, "nested deeper", 3),
    ("deep extra", HEAD + DEEP_EXTRA, "nested deeper", 2),
    ("bottomless", HEAD + RECORD + BOTTOMLESS, "nested deeper", 3),
]


@pytest.mark.parametrize(
    ("content", "what", "place"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
@pytest.mark.parametrize("pack", [bytes, zstandard.compress], ids=["plain", "zst"])
def test_what_is_wrong_is_told_with_its_place(
    content: bytes, what: str, place: int | None, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    path = tmp_path / "wrong.jsonl"
    path.write_bytes(pack(content))
    told = refusal(path)
    assert what in told.message
    assert told.line == place


def sealed() -> list[bytes]:
    return (FIXTURES / "minimal.cassette.jsonl").read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize(
    ("after", "what"),
    [([2], "a second seal"), ([1], "a line after the seal"), ([1, 2], "a line after the seal"),
     ([2, 2], "a second seal"), ([2, 1], "a second seal")],
)  # fmt: skip
def test_nothing_may_follow_a_seal(after: list[int], what: str, tmp_path: Path) -> None:
    lines = sealed()
    path = tmp_path / "double.jsonl"
    path.write_bytes(b"".join(lines + [lines[n] for n in after]))
    told = refusal(path)
    assert what in told.message
    assert told.line == 4


def test_records_before_a_wrong_line_are_read(tmp_path: Path) -> None:
    path = tmp_path / "wrong.jsonl"
    path.write_bytes(HEAD + RECORD * 5 + b"oops\n")
    records = iter(open_cassette(path))
    assert [next(records).number for _ in range(5)] == [1, 2, 3, 4, 5]
    with pytest.raises(CassetteError, match=r"wrong\.jsonl:7: neither"):
        next(records)


def test_unreadable_paths_are_named(tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "missing.jsonl").message
    assert "is a directory" in refusal(tmp_path).message
    closed = tmp_path / "closed.jsonl"
    closed.write_bytes(HEAD)
    closed.chmod(0)
    if os.geteuid() != 0:  # root reads everything
        assert "permission denied" in refusal(closed).message


def test_a_pipe_is_refused_before_anybody_waits_for_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    assert "a pipe is no file" in refusal(pipe).message


@pytest.mark.parametrize("value", [b'"\xff"', b"1e999", b"1" * 5_000])
def test_what_no_value_stands_in_is_told_with_its_place(value: bytes, tmp_path: Path) -> None:
    path = tmp_path / "wrong.jsonl"
    path.write_bytes(HEAD + RECORD + b'[5,"agent","out",%b]\n' % value + RECORD)
    records = list(open_cassette(path))
    with pytest.raises(CassetteError, match=r"wrong\.jsonl:3: holds no JSON value") as told:
        _ = records[1].data
    assert (told.value.line, records[2].data) == (3, {"a": 1})


def test_a_file_cut_inside_its_first_frame_says_so(
    written: Callable[[int], Path], tmp_path: Path
) -> None:
    path = tmp_path / "cut.zst"
    path.write_bytes((FIXTURES / "full.cassette.jsonl.zst").read_bytes()[:100])
    assert "ends inside its first frame" in refusal(path).message


def giant(parts: Iterable[bytes], path: Path) -> None:
    with path.open("wb") as file:
        for part in parts:
            file.write(part)


def test_a_gibibyte_line_stops_at_the_bound(tmp_path: Path) -> None:
    path = tmp_path / "giant.jsonl"
    with path.open("wb") as file:
        file.write(HEAD + RECORD + b'[1,"agent","out","')
        file.truncate(1024 * MIB)  # sparse: zeros without a newline
    tracemalloc.start()
    told = refusal(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "longer than 16 MiB" in told.message and told.line == 3
    assert peak < 64 * MIB


def test_a_compressed_gibibyte_line_stops_at_the_bound(tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.zst"
    with path.open("wb") as file, zstandard.ZstdCompressor(level=3).stream_writer(file) as writer:
        writer.write(HEAD + RECORD + b'[1,"agent","out","')
        for _ in range(1024):
            writer.write(b"x" * MIB)
    assert path.stat().st_size < MIB
    told = refusal(path)
    assert "longer than 16 MiB" in told.message and told.line == 3


def test_a_bomb_of_short_lines_stops_at_the_bound(tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.zst"
    block = RECORD * (MIB // len(RECORD))
    with path.open("wb") as file, zstandard.ZstdCompressor(level=3).stream_writer(file) as writer:
        writer.write(HEAD)
        for _ in range(300):
            writer.write(block)
    assert "expands beyond 1000 times" in refusal(path).message


def test_a_giant_header_stops_at_the_bound(tmp_path: Path) -> None:
    path = tmp_path / "giant.jsonl"
    giant((b"x" * MIB for _ in range(64)), path)
    assert "not a cassette" in refusal(path).message
    giant((b'{"turnreel":1,"id":"', *(b"x" * MIB for _ in range(64))), path)
    assert "longer than 16 MiB" in refusal(path).message


def test_a_window_beyond_the_bound_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "wide.zst"
    parameters = zstandard.ZstdCompressionParameters.from_level(3, window_log=27)
    compressor = zstandard.ZstdCompressor(compression_params=parameters)
    with path.open("wb") as file, compressor.stream_writer(file) as writer:
        writer.write(HEAD)
    assert "damaged" in refusal(path).message


def test_damaged_compression_is_told(written: Callable[[int], Path], tmp_path: Path) -> None:
    source = bytearray((FIXTURES / "full.cassette.jsonl.zst").read_bytes())
    source[20:40] = b"\xff" * 20
    path = tmp_path / "damaged.zst"
    path.write_bytes(source)
    assert refusal(path)


def test_long_sessions_are_read_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl.zst"
    with CassetteWriter(path, OUTLINE) as writer:
        for start in range(0, 200_000, 1000):
            writer.write_all(line(n) for n in range(start, start + 1000))
        writer.seal(REPORT)
    cassette = open_cassette(path)
    tracemalloc.start()
    assert sum(1 for _ in cassette) == 200_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16 * MIB


@given(data=st.binary(max_size=300), keep=st.integers(0, 400))
def test_any_bytes_are_read_or_refused(data: bytes, keep: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "any.jsonl"
        path.write_bytes((HEAD + RECORD * 3)[:keep] + data)
        try:
            for record in open_cassette(path):
                assert unit_of(record)
        except CassetteError as error:
            assert str(path) in str(error) or "record" in str(error)


@given(place=st.integers(0), flip=st.integers(1, 255))
def test_any_changed_byte_above_the_seal_is_noticed(place: int, flip: int) -> None:
    source = bytearray((FIXTURES / "full.cassette.jsonl").read_bytes())
    place %= source.rindex(b"\n", 0, -1) + 1
    source[place] ^= flip
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "changed.jsonl"
        path.write_bytes(source)
        refusal(path)


def test_blocks_meet_anywhere(tmp_path: Path) -> None:
    """Lines that end just before, at and behind the end of a block."""
    path = tmp_path / "t.jsonl"
    for extra in range(-3, 4):
        filler = CHUNK - len(HEAD) - len(b'[1,"a","out",""]\n') + extra
        path.write_bytes(HEAD + b'[1,"a","out","' + b"x" * filler + b'"]\n' + RECORD * 3)
        assert open_cassette(path).ending().records == 4
