"""``turnreel client``: what it says of what came. That it is the same: `test_round_trip`."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.cli.command import Turnreel
from tests.cli.round_trip import replayed

LIBRARY = Path(__file__).parents[2] / "cassettes" / "library"
SOURCE = LIBRARY / "claude-stream-json/2.1.332/cut-repeated-after-text.cassette.jsonl"


def test_a_cancel_of_the_plan_is_the_clients(turnreel: Turnreel) -> None:
    with replayed(SOURCE, "max") as url:
        words = ("client", SOURCE, "--to", url, "--pacing", "max", "--fault", "cancel@event=2")
        told = json.loads(turnreel(*words, "--json").out)
        plain = turnreel(*words)
    assert plain.status == 1
    assert re.search(r"\n1 .* left +no\n", plain.out)
    assert [one["as_recorded"] for one in told] == [False, *[True] * (len(told) - 1)]
    assert told[0]["answers"][0]["ended"] == "left"


def test_a_fault_that_is_not_the_clients_is_refused(turnreel: Turnreel) -> None:
    answer = turnreel("client", SOURCE, "--to", "http://127.0.0.1:9", "--fault", "status:429")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)


def test_nobody_there_is_one_line(turnreel: Turnreel) -> None:
    answer = turnreel("client", SOURCE, "--to", "http://127.0.0.1:9", "--pacing", "max")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "is it served?" in answer.err
