"""Importing captures: what becomes of each line, and of every bad file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turnreel.cassettes import CassetteError, Existing, open_cassette
from turnreel.recorder import RecorderError, import_capture
from turnreel.replayer import refeed

from .conftest import INIT, MODEL, result, said

ARGV = ["claude", "-p", "--output-format", "stream-json", "--verbose"]


def header(*arguments: str, **fields: Any) -> dict[str, Any]:
    argv = [*ARGV, *(arguments or ("--", "Go."))]
    return {"capture": "a1", "agent": "claude", "version": "2.1.332", "argv": argv} | fields


def out(t_ms: float, frame: dict[str, Any]) -> dict[str, Any]:
    return {"t_ms": t_ms, "dir": "out", "text": json.dumps(frame, separators=(",", ":"))}


def provider(t_ms: float, **fields: Any) -> dict[str, Any]:
    return {"t_ms": t_ms, "dir": "provider", **fields}


def sse(t_ms: float, n: int, event: str, **fields: Any) -> dict[str, Any]:
    return provider(t_ms, sse={"n": n, "event": event, "data": {"type": event, **fields}})


class Files:
    """A capture and the cassette made of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.capture = folder / "a1.jsonl"
        self.target = folder / "a1.cassette.jsonl"

    def write(self, *lines: dict[str, Any]) -> None:
        self.capture.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def records(self, *lines: dict[str, Any]) -> list[tuple[int, str, str, Any]]:
        """What is in the cassette of a capture with these lines."""
        self.write(*lines)
        import_capture(self.capture, self.target, existing=Existing.REPLACE)
        return [(r.at_us, r.track, r.code, r.data) for r in open_cassette(self.target)]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def test_a_session_with_its_prompt_on_the_command_line(files: Files) -> None:
    records = files.records(
        header(),
        out(518.3, INIT),
        out(520, said("Done.")),
        {"t_ms": 521, "dir": "err", "text": "a warning\n"},
        out(530.25, result("Done.")),
        {"t_ms": 540, "dir": "exit", "code": 0},
    )
    assert [row[:3] for row in records] == [
        (0, "host", "message"),
        (518300, "agent", "out"),
        (520000, "agent", "out"),
        (521000, "agent", "err"),
        (530250, "agent", "out"),
        (540000, "agent", "exit"),
        (540000, "host", "unreconciled"),
    ]
    assert records[0][3] == {"via": "argv"}
    cassette = open_cassette(files.target)
    head = cassette.header
    assert (head.agent.name, head.agent.version, head.profile) == ("claude", "2.1.332", "fixture")
    assert (head.origin.kind, head.origin.source, head.origin.name) == ("imported", "capture", "a1")
    assert "line endings" in head.lacks
    assert cassette.seal is not None
    assert type(refeed.events(cassette)[-1]).__name__ == "Final"


def test_prompts_on_stdin_start_the_runs_themselves(files: Files) -> None:
    prompt = {"type": "user", "message": {"role": "user", "content": "Go."}}
    records = files.records(
        header("--input-format", "stream-json"),
        {"t_ms": 11.0, "dir": "in", "text": json.dumps(prompt)},
        out(20, INIT),
        {"t_ms": 30, "dir": "signal", "text": "SIGINT"},
        {"t_ms": 40, "dir": "in_close"},
        {"t_ms": 50, "dir": "exit", "code": -9},
    )
    assert [row[2] for row in records] == ["in", "out", "signal", "eof", "exit", "unreconciled"]
    assert [row[3] for row in records[2:5]] == [
        {"name": "SIGINT"},
        {"stream": "stdin"},
        {"signal": "SIGKILL"},
    ]


def test_a_capture_that_just_stops_stays_open(files: Files) -> None:
    records = files.records(header(), out(1, INIT))
    assert [row[2] for row in records] == ["message", "out"]
    assert len(refeed.events(open_cassette(files.target))) == 1


def test_an_exit_that_only_the_header_tells_is_one(files: Files) -> None:
    records = files.records(header(exit=3), out(1, INIT))
    assert [row[2:] for row in records[-2:]] == [("exit", {"code": 3}), ("unreconciled", {})]


def test_the_providers_side_becomes_exchanges(files: Files) -> None:
    ask = {"path": "/v1/messages?beta=true", "stream": True, "model": MODEL}
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    records = files.records(
        header(),
        provider(10, request={"n": 1, **ask}),
        provider(
            11, response={"n": 1, "status": 529, "headers": {"Retry-After": "1"}, "json": error}
        ),
        provider(20, request={"n": 2, **ask}),
        provider(21, response={"n": 2, "status": 200, "sse": True}),
        sse(22, 2, "message_start", message={"id": "msg_1", "content": []}),
        provider(23, cut={"n": 2, "how": "rst"}),
        provider(30, request={"n": 3, **ask}),
        provider(31, response={"n": 3, "status": 200, "sse": True}),
        sse(32, 3, "ping"),
        sse(33, 3, "message_stop"),
        provider(40, request={"n": 4, **ask}),
        provider(41, response={"n": 4, "status": 200, "sse": True}),
        provider(42, client_gone={"n": 4, "err": "ConnectionResetError"}),
        provider(50, request={"method": "HEAD", "path": "/"}),
        {"t_ms": 60, "dir": "exit", "code": 0},
    )
    cassette = open_cassette(files.target)
    told: dict[int, list[Any]] = {}
    for record in cassette:
        if record.exchange is not None:
            told.setdefault(record.exchange, []).append((record.code, record.data))
    assert [[code for code, _ in rows] for rows in told.values()] == [
        ["request", "response", "data", "end"],
        ["request", "response", "data", "cut"],
        ["request", "response", "data", "data", "end"],
        ["request", "response", "cut"],
        ["request"],
    ]
    assert told[1][1][1] == {
        "status": 529,
        "headers": {"content-type": "application/json", "retry-after": "1"},
    }
    assert told[1][2][1] == error
    assert told[2][3][1]["by"] == "upstream" and told[2][3][1]["at"] > 0
    assert told[4][2][1] == {"by": "client", "at": 0}
    assert told[5][0][1]["method"] == "HEAD"
    assert len(records) == 20
    assert {"request features", "event framing", "read boundaries"} <= set(cassette.header.lacks)


def test_a_clean_end_without_the_last_event_is_an_end(files: Files) -> None:
    how = "clean EOF (terminating chunk) without message_stop"
    records = files.records(
        header(),
        provider(1, request={"n": 1, "path": "/v1/messages"}),
        provider(2, response={"n": 1, "status": 200, "sse": True}),
        sse(3, 1, "ping"),
        provider(4, cut={"n": 1, "how": how}),
    )
    assert records[-1][2:] == ("end", {})


def test_of_an_exchange_that_the_capture_does_not_end_no_end_is_told(files: Files) -> None:
    records = files.records(
        header(),
        provider(1, request={"n": 1, "path": "/v1/messages"}),
        provider(2, response={"n": 1, "status": 200, "sse": True}),
        sse(3, 1, "content_block_start"),
        {"t_ms": 4, "dir": "exit", "code": -9},
    )
    assert [row[2] for row in records if row[1] == "provider"] == ["request", "response", "data"]


def test_a_clock_that_runs_behind_is_moved_up(files: Files) -> None:
    records = files.records(
        header(),
        out(100, INIT),
        provider(7.5, request={"n": 1, "path": "/"}),
        out(110.5, result("")),
    )
    assert [row[0] for row in records] == [0, 100_000, 100_000, 110_500]


def test_the_same_capture_gives_the_same_cassette(files: Files) -> None:
    lines = (header(), out(1, INIT), out(2, result("")), {"t_ms": 3, "dir": "exit", "code": 0})
    files.records(*lines)
    first = files.target.read_bytes()
    files.records(*lines)
    assert files.target.read_bytes() == first


def test_prose_has_no_dialect_and_no_run(files: Files) -> None:
    files.records(
        {
            "capture": "k6",
            "agent": "claude",
            "version": "2.1.332",
            "argv": ["claude", "-p", "--", "Go."],
        },
        {"t_ms": 1, "dir": "out", "text": "canary prose\n"},
        {"t_ms": 2, "dir": "exit", "code": 0},
    )
    assert refeed.events(open_cassette(files.target)) == []
    assert b"canary" not in files.target.read_bytes()


def test_lines_nobody_knows_are_passed_over_and_said(files: Files) -> None:
    records = files.records(
        header(), {"t_ms": 1, "dir": "sideways"}, provider(2, frames=[1]), out(3, INIT)
    )
    assert [row[2] for row in records] == ["message", "out"]
    assert "lines of kinds nobody knows" in open_cassette(files.target).header.lacks


@pytest.mark.parametrize(
    ("capture", "words"),
    [
        (b"", "an empty file is no capture"),
        (b"{}\n", "a1.jsonl:1: is no capture's header"),
        (b"not json\n", "a1.jsonl:1: is no capture's header"),
        (b'{"turnreel":1,"id":"x"}\n', "a1.jsonl:1: is no capture's header"),
        (b"\xff\xfe\n", "a1.jsonl:1: is no capture's header"),
        (b"[" * 100_000, "a1.jsonl:1: is no capture's header"),
        (b'HEADER\n{"t_ms":1,"dir":"out"}\n', "a1.jsonl:2: has no text"),
        (b'HEADER\n\n{"t_ms":1,"dir":"ou', "a1.jsonl:3: is not JSON"),
        (b'HEADER\n{"t_ms":"soon","dir":"out","text":""}\n', "a1.jsonl:2: is no line of a capture"),
        (b"HEADER\n[1]\n", "a1.jsonl:2: is no line of a capture"),
        (b"HEADER\n\xff\xfe\n", "a1.jsonl:2: is not JSON"),
    ],
)
def test_a_bad_capture_is_one_clear_error_and_leaves_nothing(
    files: Files, capture: bytes, words: str
) -> None:
    files.capture.write_bytes(capture.replace(b"HEADER", json.dumps(header()).encode()))
    with pytest.raises(RecorderError) as caught:
        import_capture(files.capture, files.target)
    assert words in caught.value.message
    assert "\n" not in str(caught.value)
    assert not files.target.exists()


def test_a_line_without_end_is_refused_at_the_bound(files: Files) -> None:
    """A sparse gigabyte: read no further than a line may be."""
    with files.capture.open("wb") as file:
        file.write(json.dumps(header()).encode() + b"\n")
        file.truncate(1 << 30)
    with pytest.raises(RecorderError, match=":2: is longer than a capture's line may be"):
        import_capture(files.capture, files.target)


@pytest.mark.parametrize(
    ("head", "dialect"),
    [
        ({"capture": "a", "agent": "hermes", "request": {"path": "/v9/x"}}, "hermes"),
        ({"capture": "x", "agent": "eliza"}, "eliza"),
    ],
)
def test_a_dialect_without_adapter_is_named(
    files: Files, head: dict[str, Any], dialect: str
) -> None:
    files.write(head)
    with pytest.raises(RecorderError, match=f"there is no adapter for {dialect} yet"):
        import_capture(files.capture, files.target)
    assert not files.target.exists()


def test_an_existing_target_is_refused_and_kept(files: Files) -> None:
    files.write(header(), out(1, INIT))
    files.target.write_text("precious")
    with pytest.raises(CassetteError, match="exists already"):
        import_capture(files.capture, files.target)
    assert files.target.read_text() == "precious"


def test_a_capture_that_cannot_be_read_says_why(files: Files) -> None:
    with pytest.raises(RecorderError, match=r"a1\.jsonl: no such file or directory"):
        import_capture(files.capture, files.target)
    with pytest.raises(RecorderError, match="is a directory"):
        import_capture(files.folder, files.target)
