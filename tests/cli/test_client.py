"""``turnreel client``: what it says of what came. That it is the same: `test_round_trip`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.command import Turnreel
from tests.cli.round_trip import replayed, told

LIBRARY = Path(__file__).parents[2] / "cassettes" / "library"
SOURCE = LIBRARY / "claude-stream-json/2.1.332/cut-repeated-after-text.cassette.jsonl"


def test_a_cancel_of_the_plan_is_the_clients(turnreel: Turnreel) -> None:
    with replayed(SOURCE, "max") as url:
        words = ("client", SOURCE, "--to", url, "--pacing", "max", "--fault", "cancel@event=2")
        asked = json.loads(turnreel(*words, "--json").out)
        plain = turnreel(*words)
    assert plain.status == 1
    assert re.search(r"\n1 .* left +no\n", plain.out)
    assert [one["as_recorded"] for one in asked] == [False, *[True] * (len(asked) - 1)]
    assert asked[0]["answers"][0]["ended"] == "left"


@pytest.mark.parametrize(("since", "behind"), [("zero", 13 + 9), ("last", 1 + 9)])
def test_a_reconnect_on_a_websocket_is_recorded_as_another_one(
    turnreel: Turnreel, tmp_path: Path, since: str, behind: int
) -> None:
    source = LIBRARY / "codex-exec/0.171.0/ws-two-requests.cassette.jsonl"
    target = tmp_path / "came.cassette.jsonl"
    with replayed(source, "max") as url:
        words = ("client", source, "--to", url, "--pacing", "max", "--record", target)
        answer = turnreel(*words, "--fault", f"reconnect:{since}@event=3", "--json")
    assert [len(one["answers"]) for one in json.loads(answer.out)] == [1, 2, 1]
    assert answer.status == (since != "zero")
    opened = [record.exchange for record in told(target) if record.code == "open"]
    heard = [record.exchange for record in told(target) if record.code == "receive"]
    assert len(opened) == 2
    assert heard.count(opened[1]) == behind


@pytest.mark.parametrize("url", ["", "nonsense", "http://[::1", "http://127.0.0.1:x", "https://x"])
def test_what_is_no_test_server_is_one_line(turnreel: Turnreel, url: str) -> None:
    answer = turnreel("client", SOURCE, "--to", url)
    assert answer.status == 2
    assert "no test server's URL" in answer.one_line()


def test_a_fault_that_is_not_the_clients_is_refused(turnreel: Turnreel) -> None:
    answer = turnreel("client", SOURCE, "--to", "http://127.0.0.1:9", "--fault", "status:429")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)


def test_nobody_there_is_one_line(turnreel: Turnreel) -> None:
    answer = turnreel("client", SOURCE, "--to", "http://127.0.0.1:9", "--pacing", "max")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "is it served?" in answer.err


def test_a_rehearsal_has_no_answers_to_tell_in_json(turnreel: Turnreel) -> None:
    answer = turnreel("client", SOURCE, "--to", "http://127.0.0.1:9", "--dry-run", "--json")
    assert (answer.status, answer.out) == (2, "")
    assert "--dry-run answers nothing" in answer.one_line()
