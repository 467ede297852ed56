"""What each record was to the host that saw it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from turnreel.adapters import arrivals
from turnreel.adapters.base import Edge, Frame
from turnreel.cassettes import open_cassette
from turnreel.lifecycle.events import Cancelled, RunStarted
from turnreel.lifecycle.receipts import digest_of
from turnreel.lifecycle.signals import (
    CancelRequested,
    Exited,
    Message,
    Parked,
    Receipt,
    Unreconciled,
)
from turnreel.replayer import refeed
from turnreel.wire.units import BodyFraming, JsonUnit

if TYPE_CHECKING:
    from conftest import Recording


def arrival(code: str, data: Any) -> Any:
    return arrivals.arrival(7, 9, "t", code, JsonUnit(data, BodyFraming()), 1, "s")


@pytest.mark.parametrize("code", ["in", "out", "err", "eof", "request", "data", "end", "cut"])
def test_native_records_are_frames(code: str) -> None:
    found = arrival(code, {"a": 1})
    assert isinstance(found, Frame)
    assert (found.track, found.code, found.number, found.at_us, found.exchange) == (
        "t", code, 7, 9, 1,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("code", "data", "signal"),
    [
        ("signal", {"name": "SIGINT"}, CancelRequested(via="SIGINT")),
        ("signal", {"name": "SIGTERM"}, CancelRequested(via="SIGTERM")),
        ("exit", {"code": 3}, Exited(code=3)),
        ("exit", {"signal": "SIGKILL"}, Exited(killed_by="SIGKILL")),
        ("exit", {"code": "3"}, Exited()),
        ("message", {"via": "argv"}, Message(via="argv")),
        ("parked", {"request": "q"}, Parked(request="q")),
        ("unreconciled", {}, Unreconciled()),
        (
            "receipt",
            {"run": 2, "native_turn": "m", "outcome": "completed", "text": " Done.\n"},
            Receipt(
                run_id="s.2",
                thread_id="s/0",
                native_turn="m",
                outcome="completed",
                text_digest=digest_of("Done."),
                text=" Done.\n",
            ),
        ),
    ],
)
def test_what_the_edge_knew_is_a_signal(code: str, data: Any, signal: Any) -> None:
    assert arrival(code, data) == Edge("t", 7, 9, signal)


@pytest.mark.parametrize(
    ("code", "data"),
    [
        ("signal", {"name": "SIGKILL"}),  # cancels nothing (T4)
        ("signal", {"name": ["SIGINT"]}),
        ("signal", {}),
        ("note", {"text": "x"}),
        ("gap", {"bytes": 1}),
        ("invented", {}),
        ("message", 3),
        ("parked", {"request": 3}),
        ("receipt", {"run": "2", "native_turn": "m", "outcome": "completed"}),
        ("receipt", {"run": 2, "native_turn": "m", "outcome": "invented"}),
        ("receipt", {"run": 2}),
        ("answered", {"request": "q", "resolution": "invented"}),
    ],
)
def test_anything_else_brings_nothing(code: str, data: Any) -> None:
    found = arrival(code, data)
    assert found is None or found.signal == Message()  # of a message every field may be missing


def session(recording: Recording, *, ending: bool) -> list[Any]:
    recording.line({"type": "user", "message": {"role": "user", "content": "x"}}, "in")
    recording.line({"type": "system", "subtype": "init"})
    recording.note("agent", "signal", {"name": "SIGINT"})
    recording.line({"code": 0}, "exit")
    if ending:
        recording.note("host", "unreconciled", {})
    return recording.records


def test_a_recording_that_just_stops_leaves_its_run_open(
    recording: Recording, new_recording: type[Recording], tmp_path: Path
) -> None:
    session(recording, ending=False)
    stopped = refeed.events(open_cassette(recording.write(tmp_path / "a.cassette.jsonl")))
    assert [type(event) for event in stopped] == [RunStarted]
    whole = new_recording()
    session(whole, ending=True)
    ended = refeed.events(open_cassette(whole.write(tmp_path / "b.cassette.jsonl")))
    assert [type(event) for event in ended] == [RunStarted, Cancelled]
