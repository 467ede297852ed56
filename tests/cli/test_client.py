"""``turnreel client``: what was recorded, served, asked again and recorded again is the same."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.command import Turnreel
from turnreel.cassettes import Record, open_cassette

LIBRARY = Path(__file__).parents[2] / "cassettes" / "library"
ROUND = {
    "a stream of the Messages API": "claude-stream-json/2.1.332/cut-repeated-after-text",
    "errors in JSON": "claude-stream-json/2.1.332/retried-429-529-500",
    "a stream of the Responses API": "codex-exec/0.171.0/disc-mid-delta-ok",
    "an agent's own stream": "hermes-runs/0.19.0/approval-declined",
}


@contextmanager
def served(cassette: Path, *words: str) -> Iterator[str]:
    command = [sys.executable, "-m", "turnreel", "serve", str(cassette), "--pacing", "max", *words]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert child.stdout is not None
    try:
        yield child.stdout.readline().decode().strip()
    finally:
        child.terminate()
        child.wait(30)
        child.stdout.close()


def provider_track(path: Path) -> list[tuple[object, ...]]:
    """What came of each exchange, record for record: heads by their status, everything else as it
    is, but for times and read boundaries, which belong to one connection.
    """
    cassette = open_cassette(path)
    track = next(t.id for t in cassette.header.tracks if t.carrier in ("http", "websocket"))
    told = [record for record in cassette if record.track == track and record.code != "request"]
    return [(record.exchange, record.code, *_said(record)) for record in told]


def _said(record: Record) -> tuple[object, ...]:
    if record.code in ("response", "open"):
        assert isinstance(record.data, dict)
        return (record.data.get("status"), record.data.get("path", "").rpartition("/")[2])
    extra = {name: value for name, value in record.extra.items() if name != "reads"}
    return record.data, extra


@pytest.mark.parametrize("name", ROUND.values(), ids=ROUND)
def test_a_round_trip_gives_the_same_track(turnreel: Turnreel, tmp_path: Path, name: str) -> None:
    source, target = LIBRARY / f"{name}.cassette.jsonl", tmp_path / "came.cassette.jsonl"
    with served(source) as url:
        answer = turnreel(
            "client", source, "--to", url, "--record", target, "--keep-text", "--pacing", "max"
        )
    assert answer.status == 0, answer.out + answer.err
    assert provider_track(target) == provider_track(source)
    assert turnreel("lint", target).status == 0


@pytest.mark.parametrize("name", ["ws-two-requests", "ws-close-mid-then-ok"])
def test_a_round_trip_over_a_websocket_gives_the_same_track(
    turnreel: Turnreel, tmp_path: Path, name: str
) -> None:
    """What an imported one's client had said is not known. So what was recorded of it is served
    once more, and then it holds the client's messages as well.
    """
    source = LIBRARY / f"codex-exec/0.171.0/{name}.cassette.jsonl"
    tracks = []
    for place in (tmp_path / "once.cassette.jsonl", tmp_path / "twice.cassette.jsonl"):
        with served(source) as url:
            asking = ("client", source, "--to", url, "--record", place, "--keep-text")
            answer = turnreel(*asking, "--pacing", "max")
        assert answer.status == 0, answer.out + answer.err
        tracks.append(provider_track(place))
        source = place
    once, twice = tracks
    assert once == twice
    assert {code for _, code, *_ in once} >= {"open", "send", "receive"}
    imported = provider_track(LIBRARY / f"codex-exec/0.171.0/{name}.cassette.jsonl")
    received = [one for one in once if one[1] in ("open", "receive") or one in imported]
    assert received == imported
    assert turnreel("lint", place).status == 0


def test_a_cancel_of_the_plan_is_the_clients(turnreel: Turnreel) -> None:
    source = LIBRARY / f"{ROUND['a stream of the Messages API']}.cassette.jsonl"
    with served(source) as url:
        words = ("client", source, "--to", url, "--pacing", "max", "--fault", "cancel@event=2")
        told = json.loads(turnreel(*words, "--json").out)
        plain = turnreel(*words)
    assert plain.status == 1
    assert re.search(r"\n1 .* left +no\n", plain.out)
    assert [one["as_recorded"] for one in told] == [False, *[True] * (len(told) - 1)]
    assert told[0]["answers"][0]["ended"] == "left"


@pytest.mark.parametrize(("since", "behind"), [("zero", 13 + 9), ("last", 1 + 9)])
def test_a_reconnect_on_a_websocket_is_recorded_as_another_one(
    turnreel: Turnreel, tmp_path: Path, since: str, behind: int
) -> None:
    source = LIBRARY / "codex-exec/0.171.0/ws-two-requests.cassette.jsonl"
    target = tmp_path / "came.cassette.jsonl"
    with served(source) as url:
        words = ("client", source, "--to", url, "--pacing", "max", "--record", target)
        answer = turnreel(*words, "--fault", f"reconnect:{since}@event=3", "--json")
    assert [len(one["answers"]) for one in json.loads(answer.out)] == [1, 2, 1]
    assert answer.status == (since != "zero")
    opened = [number for number, code, *_ in provider_track(target) if code == "open"]
    heard = [number for number, code, *_ in provider_track(target) if code == "receive"]
    assert len(opened) == 2
    assert heard.count(opened[1]) == behind


@pytest.mark.parametrize("url", ["", "nonsense", "http://[::1", "http://127.0.0.1:x", "https://x"])
def test_what_is_no_test_server_is_one_line(turnreel: Turnreel, url: str) -> None:
    source = LIBRARY / f"{ROUND['a stream of the Messages API']}.cassette.jsonl"
    answer = turnreel("client", source, "--to", url)
    assert answer.status == 2
    assert "no test server's URL" in answer.one_line()


def test_a_fault_that_is_not_the_clients_is_refused(turnreel: Turnreel) -> None:
    source = LIBRARY / f"{ROUND['a stream of the Messages API']}.cassette.jsonl"
    answer = turnreel("client", source, "--to", "http://127.0.0.1:9", "--fault", "status:429")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)


def test_nobody_there_is_one_line(turnreel: Turnreel) -> None:
    source = LIBRARY / f"{ROUND['a stream of the Messages API']}.cassette.jsonl"
    answer = turnreel("client", source, "--to", "http://127.0.0.1:9", "--pacing", "max")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "is it served?" in answer.err
