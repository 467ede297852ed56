"""Whatever is given for a cassette: one clear line, nothing lost, nothing overwritten, no memory
eaten.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from tests.cli.captures import COMPLETED, write_capture
from tests.cli.command import Turnreel
from turnreel.adapters.claude_stream_json.render import lines

READERS = ("events", "status", "show", "serve", "shim")
DIALECT = "claude-stream-json"
MOST_MEMORY = 256 * 1024 * 1024


@pytest.fixture
def cassette(tmp_path: Path, sealed: bytes) -> Path:
    """A sealed cassette of one completed turn."""
    target = tmp_path / "good.cassette.jsonl"
    target.write_bytes(sealed)
    return target


def rows(cassette: Path) -> list[bytes]:
    return cassette.read_bytes().splitlines(keepends=True)


def empty(good: Path) -> bytes:
    return b""


def no_cassette(good: Path) -> bytes:
    return b"Dear diary,\n"


def other_json(good: Path) -> bytes:
    return b'{"version": 2, "width": 80}\n[0.1, "o", "hello"]\n'


def binary(good: Path) -> bytes:
    return bytes(range(256)) * 16


def newer_major(good: Path) -> bytes:
    header, *rest = rows(good)
    return json.dumps({**json.loads(header), "turnreel": 99}).encode() + b"\n" + b"".join(rest)


def broken_record(good: Path) -> bytes:
    header, first, *rest = rows(good)
    return header + first + b'[1, "agent", \n' + b"".join(rest)


def deep_record(good: Path) -> bytes:
    header, first, *rest = rows(good)
    deep = b'[0,"agent","out",' + b"[" * 100_000 + b"]" * 100_000 + b"]\n"
    return header + first + deep + b"".join(rest)


def deep_header(good: Path) -> bytes:
    return b'{"turnreel":1,"tracks":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"


def changed(good: Path) -> bytes:
    whole = good.read_bytes()
    return whole.replace(b"42", b"43")


def double_seal(good: Path) -> bytes:
    return good.read_bytes() + rows(good)[-1]


def line_after_seal(good: Path) -> bytes:
    return good.read_bytes() + rows(good)[1]


BROKEN: list[tuple[Callable[[Path], bytes], str]] = [
    (empty, "the file is empty"),
    (no_cassette, ":1: not a cassette"),
    (other_json, ":1: not a cassette"),
    (binary, "not a cassette"),
    (newer_major, ":1: format 99, this turnreel reads up to 1"),
    (broken_record, ":3: neither a record nor a seal"),
    (deep_record, ":3: nested deeper than 200 levels"),
    (deep_header, ":1: "),
    (changed, "the digest in the seal is not the file's"),
    (double_seal, "a second seal"),
    (line_after_seal, "a line after the seal"),
]


EVERY_DAMAGE = [("recover", *broken) for broken in BROKEN]
EVERY_READER = [(command, *BROKEN[kind]) for command in READERS for kind in (0, 4, 6)]


@pytest.mark.parametrize(
    ("command", "damage", "said"),
    [*EVERY_DAMAGE, *EVERY_READER],
    ids=lambda part: getattr(part, "__name__", None),
)
def test_a_broken_file_is_one_line(
    turnreel: Turnreel,
    cassette: Path,
    tmp_path: Path,
    command: str,
    damage: Callable[[Path], bytes],
    said: str,
) -> None:
    bad = tmp_path / "bad.cassette.jsonl"
    bad.write_bytes(damage(cassette))
    before = bad.read_bytes()
    answer = turnreel(command, bad)
    assert answer.status == 2
    assert str(bad) in answer.one_line()
    assert said in answer.one_line()
    assert bad.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {bad.name, cassette.name}


@pytest.mark.parametrize("command", ["verify", "lint"])
@pytest.mark.parametrize(("damage", "said"), BROKEN, ids=[d.__name__ for d, _ in BROKEN])
def test_a_broken_file_is_a_finding(
    turnreel: Turnreel,
    cassette: Path,
    tmp_path: Path,
    command: str,
    damage: Callable[[Path], bytes],
    said: str,
) -> None:
    """Whoever checks many files hears about each."""
    bad = tmp_path / "bad.cassette.jsonl"
    bad.write_bytes(damage(cassette))
    answer = turnreel(command, bad, cassette)
    assert answer.status == 1
    assert answer.err == ""
    assert said in answer.out


@pytest.mark.parametrize("command", [one for one in READERS if one != "serve"])
@pytest.mark.parametrize(
    ("path", "said"),
    [("absent.cassette.jsonl", "no such file or directory"), (".", "is a directory")],
)
def test_a_path_that_cannot_be_read_is_one_line(
    turnreel: Turnreel, command: str, path: str, said: str
) -> None:
    answer = turnreel(command, path)
    assert answer.status == 2
    assert answer.one_line().startswith(f"{path}: {said}")


@pytest.mark.parametrize(
    ("path", "said"),
    [("absent.cassette.jsonl", "no such file or folder"), (".", "no cassette is there")],
)
def test_what_takes_folders_names_what_is_not_there(
    turnreel: Turnreel, path: str, said: str
) -> None:
    answer = turnreel("serve", path)
    assert answer.status == 2
    assert answer.one_line().startswith(f"{path}: {said}")


def test_a_truncated_cassette_reads_to_its_last_whole_record(
    turnreel: Turnreel, cassette: Path, tmp_path: Path
) -> None:
    """A recording that stops has open runs; recover seals it and nothing else changes."""
    cut = tmp_path / "cut.cassette.jsonl"
    whole = rows(cassette)
    cut.write_bytes(b"".join(whole[:-4]) + whole[-4][:7])
    assert turnreel("status", cut).status == 3
    events = turnreel("events", cut).out
    assert '"type":"commentary"' in events
    assert '"type":"final"' not in events
    assert turnreel("recover", cut).status == 0
    assert cut.read_bytes().startswith(b"".join(whole[:-4]))
    assert turnreel("events", cut).out == events
    again = turnreel("recover", cut)
    assert again.status == 2
    assert "is sealed already" in again.one_line()


def test_unknown_codes_and_fields_are_ignored(
    turnreel: Turnreel, cassette: Path, tmp_path: Path
) -> None:
    header, first, *rest = rows(cassette)
    newer = tmp_path / "newer.cassette.jsonl"
    extended = json.dumps({**json.loads(header), "invented": {"later": True}}).encode() + b"\n"
    unknown = b'[5,"agent","teleport",{"to":"moon"},{"odd":1},"sixth"]\n'
    newer.write_bytes(extended + first + unknown + b"".join(rest[:-1]))
    assert turnreel("recover", newer).status == 0
    read = turnreel("events", newer)
    assert read.status == 0
    types = [json.loads(line)["type"] for line in read.out.splitlines()]
    plain = [json.loads(line)["type"] for line in turnreel("events", cassette).out.splitlines()]
    assert types == plain


def test_a_dialect_nobody_knows_has_no_runs(
    turnreel: Turnreel, cassette: Path, tmp_path: Path
) -> None:
    header, *rest = rows(cassette)
    strange = tmp_path / "strange.cassette.jsonl"
    strange.write_bytes(
        header.replace(b"claude-stream-json", b"klingon-opera") + b"".join(rest[:-1])
    )
    for command in ("events", "show", "status"):
        answer = turnreel(command, strange)
        assert answer.status == (3 if command == "status" else 0)
        assert "no adapter here translates 'klingon-opera'" in answer.one_line()
    assert turnreel("events", strange).out == ""
    assert "no run" in turnreel("status", strange).out


def gigabyte_line(target: Path, good: Path) -> None:
    """A sparse file: a header, then a line that does not end for a gigabyte."""
    with target.open("wb") as file:
        file.write(rows(good)[0] + b'[0,"agent","out","')
        file.truncate(1 << 30)


def bomb(target: Path, good: Path) -> None:
    """A gigabyte of records in a few kilobytes of zstd, made without ever holding it."""
    block = b'[0,"agent","err","",{"kind":"text"}]\n' * 4_096
    with target.open("wb") as file, zstandard.ZstdCompressor(19).stream_writer(file) as packed:
        packed.write(rows(good)[0])
        for _ in range((1 << 30) // len(block)):
            packed.write(block)


@pytest.mark.parametrize(
    ("make", "said"),
    [(gigabyte_line, ":2: longer than 16 MiB"), (bomb, "expands beyond 1000 times its size")],
    ids=["gigabyte line", "bomb"],
)
def test_what_never_ends_is_given_up_at_the_bound(
    cassette: Path, tmp_path: Path, make: Callable[[Path, Path], None], said: str
) -> None:
    bad = tmp_path / "bad.cassette.jsonl"
    make(bad, cassette)
    # A process counts what it was forked from as its own memory: measured from a small one.
    program = (
        "import resource, subprocess, sys\n"
        "child = subprocess.run([sys.executable, '-m', 'turnreel', 'events', sys.argv[1]],\n"
        "                       stdout=subprocess.DEVNULL)\n"
        "print(child.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    measured = subprocess.run(
        [sys.executable, "-c", program, str(bad)], capture_output=True, text=True, check=True
    )
    status, most = map(int, measured.stdout.split())
    assert status == 2
    assert measured.stderr.count("\n") == 1
    assert said in measured.stderr
    assert most * (1 if sys.platform == "darwin" else 1024) < MOST_MEMORY


def test_an_existing_target_is_kept_unless_forced(
    turnreel: Turnreel, cassette: Path, tmp_path: Path
) -> None:
    precious = tmp_path / "precious.cassette.jsonl"
    precious.write_text("mine")
    capture = write_capture(tmp_path / "good.jsonl", lines(COMPLETED))
    unsealed = tmp_path / "unsealed.cassette.jsonl"
    unsealed.write_bytes(b"".join(rows(cassette)[:-1]))
    for words in (
        ("import", "capture", capture, "--to", precious),
        ("record", "--dialect", DIALECT, "--to", precious, "--", sys.executable, "-c", "pass"),
        ("recover", unsealed, "--to", precious),
    ):
        refused = turnreel(*words)
        assert refused.status == 2
        assert str(precious) in refused.one_line()
        assert precious.read_text() == "mine"
    assert turnreel("import", "capture", capture, "--to", precious, "--force").status == 0
    assert precious.read_bytes() == cassette.read_bytes()


def test_a_capture_is_not_replaced_by_its_cassette(turnreel: Turnreel, tmp_path: Path) -> None:
    capture = write_capture(tmp_path / "good.jsonl", lines(COMPLETED))
    before = capture.read_bytes()
    refused = turnreel("import", "capture", capture, "--to", capture, "--force")
    assert refused.status == 2
    assert "the recording itself" in refused.one_line()
    assert capture.read_bytes() == before


def test_a_capture_that_is_none_is_one_line(turnreel: Turnreel, tmp_path: Path) -> None:
    for name, content in (("empty", b""), ("prose", b"Dear diary,\n"), ("json", b"[1]\n")):
        capture = tmp_path / f"{name}.jsonl"
        capture.write_bytes(content)
        answer = turnreel("import", "capture", capture, "--to", "out.cassette.jsonl")
        assert answer.status == 2
        assert str(capture) in answer.one_line()
    assert not (tmp_path / "out.cassette.jsonl").exists()


def test_a_command_that_is_not_there_is_one_line(turnreel: Turnreel, tmp_path: Path) -> None:
    answer = turnreel("record", "--to", "out.cassette.jsonl", "--", "no-such-agent", "-p")
    assert answer.status == 2
    assert "no-such-agent" in answer.one_line()
    assert not list(tmp_path.iterdir())


def test_a_port_in_use_is_one_line(turnreel: Turnreel, cassette: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        upstream = ("--upstream", "http://127.0.0.1:9", "--to", tmp_path / "out")
        answer = turnreel("proxy", *upstream, "--listen", f"127.0.0.1:{port}")
        assert answer.status == 2
        assert port in answer.one_line()


@pytest.mark.parametrize("port", ["-1", "65536", "99999999999"])
def test_what_is_no_port_is_one_line(turnreel: Turnreel, tmp_path: Path, port: str) -> None:
    upstream = ("--upstream", "http://127.0.0.1:9", "--to", tmp_path / "out")
    answer = turnreel("proxy", *upstream, "--listen", f"127.0.0.1:{port}")
    assert answer.status == 2
    assert port in answer.one_line()
    assert not (tmp_path / "out").exists()


def test_a_missing_extra_is_one_line(tmp_path: Path) -> None:
    """As if mitmproxy had never been installed."""
    program = (
        "import sys\n"
        "sys.modules['mitmproxy'] = None\n"
        "from turnreel.cli.failures import run\n"
        "sys.exit(run(['proxy', '--upstream', 'http://127.0.0.1:9', '--to', 'out']))"
    )
    child = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert child.returncode == 2
    assert child.stderr.count("\n") == 1
    assert "pip install 'turnreel[record]'" in child.stderr
    assert not list(tmp_path.rglob("*.jsonl"))
