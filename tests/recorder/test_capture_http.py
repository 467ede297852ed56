"""Captures of an agent that answers over HTTP: exchange, stops of the host, ends (T4, T7)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turnreel.cassettes import open_cassette
from turnreel.recorder.captures import import_capture
from turnreel.replayer import refeed

RUN = "run_0000000000000000000000000000000a"
HEADER: dict[str, Any] = {
    "capture": "e_run_stop",
    "agent": "hermes",
    "version": "0.19.0",
    "request": {"method": "GET", "path": f"/v1/runs/{RUN}/events"},
    "response_head": "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nServer: x",
}


def event(word: str, at: float, **fields: Any) -> dict[str, Any]:
    data = {"event": word, "run_id": RUN, "timestamp": 1796034960.0 + at, **fields}
    return {"t_ms": at * 1000, "dir": "out", "text": f"data: {json.dumps(data)}\n\n"}


def imported(folder: Path, head: dict[str, Any], *lines: dict[str, Any]) -> Path:
    capture, target = folder / "c.jsonl", folder / "c.cassette.jsonl"
    capture.write_text("".join(json.dumps(line) + "\n" for line in (head, *lines)))
    import_capture(capture, target)
    return target


def terminal(path: Path) -> tuple[str, str | None]:
    events = refeed.events(open_cassette(path))
    assert events[-1].terminal
    return type(events[-1]).__struct_config__.tag, getattr(events[-1], "code", None)  # type: ignore[return-value]


def records(path: Path) -> list[tuple[str, str]]:
    return [(record.track, record.code) for record in open_cassette(path)]


def test_an_exchange_is_the_agents_track(tmp_path: Path) -> None:
    path = imported(
        tmp_path,
        HEADER,
        event("message.delta", 0.1, delta="Hi."),
        event("reasoning.available", 0.2, text="Hi."),
        event("run.completed", 0.3, output="Hi.", usage={"total_tokens": 2}),
        {"t_ms": 300, "dir": "out", "text": ": stream closed\n\n"},
        {"t_ms": 301, "dir": "end", "text": "chunked-terminator"},
    )
    assert [track.carrier for track in open_cassette(path).header.tracks] == ["http", "host"]
    assert records(path) == [
        ("agent", "request"),
        ("agent", "response"),
        *[("agent", "data")] * 4,
        ("agent", "end"),
        ("host", "closed"),
        ("host", "unreconciled"),
    ]
    assert terminal(path) == ("final", None)
    assert "Server" not in path.read_text()


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (["stop", 150, [200, {"status": "stopping"}]], ("cancelled", None)),
        (["respond", "STOP", 150, [200, {}]], ("cancelled", None)),
        (["stop", 150, [404, {}]], ("failed", "incomplete")),
        (["status", {"status": "running"}], ("failed", "incomplete")),
    ],
)
def test_a_stop_is_the_host_asking(
    tmp_path: Path, call: list[Any], told: tuple[str, str | None]
) -> None:
    path = imported(
        tmp_path,
        {**HEADER, "side_channel": {"control": [call]}},
        event("message.delta", 0.1, delta="tok0"),
        event("run.cancelled", 0.2),
        {"t_ms": 201, "dir": "end", "text": "chunked-terminator"},
    )
    assert terminal(path) == told


@pytest.mark.parametrize(
    ("end", "code"),
    [("chunked-terminator", "end"), ("eof", "cut"), ("client-closed", "cut")],
)
def test_a_body_ends_as_it_did(tmp_path: Path, end: str, code: str) -> None:
    path = imported(
        tmp_path,
        HEADER,
        event("message.delta", 0.1, delta="t"),
        {"t_ms": 2, "dir": "end", "text": end},
    )
    assert ("agent", code) in records(path)
    assert terminal(path) == ("failed", "incomplete")


def test_a_body_that_just_stops_leaves_its_run_open(tmp_path: Path) -> None:
    path = imported(tmp_path, HEADER, event("message.delta", 0.1, delta="t"))
    assert not any(event.terminal for event in refeed.events(open_cassette(path)))


def test_the_same_capture_gives_the_same_cassette(tmp_path: Path) -> None:
    first = imported(tmp_path, HEADER, event("message.delta", 0.1, delta="t"))
    text = first.read_text()
    first.unlink()
    assert imported(tmp_path, HEADER, event("message.delta", 0.1, delta="t")).read_text() == text
