"""events, status, show and diff: what came out of a cassette."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.captures import (
    CANCELLED,
    COMPLETED,
    RECOVERED,
    later,
    unanswered,
    write_capture,
)
from tests.cli.command import Turnreel
from turnreel.adapters.claude_stream_json.render import Written, lines
from turnreel.recorder.captures import import_capture

Cassette = Callable[..., Path]

FAILED: list[Written] = [
    (side, {**line, "is_error": True, "api_error_status": 429, "terminal_reason": "api_error"})
    if line["type"] == "result"
    else (side, line)
    for side, line in lines(RECOVERED)
]


@pytest.fixture
def cassette(tmp_path: Path) -> Cassette:
    """Make a cassette of these lines."""

    def make(name: str, written: list[Written], exit_code: int | None = 0) -> Path:
        capture = write_capture(tmp_path / f"{name}.jsonl", written, exit_code)
        target = tmp_path / f"{name}.cassette.jsonl"
        import_capture(capture, target)
        return target

    return make


@pytest.mark.parametrize(
    ("written", "exit_code", "status", "state"),
    [
        (lines(COMPLETED), 0, 0, "completed"),
        (FAILED, 1, 1, "failed"),
        (lines(COMPLETED)[:-1], 0, 3, "failed"),
        (lines(COMPLETED)[:-1], None, 3, "open"),
        (lines(CANCELLED), 0, 130, "interrupted"),
        (unanswered(), 0, 75, "blocked"),
        ([*lines(CANCELLED), *later(lines(COMPLETED))], 0, 0, "completed"),
    ],
    ids=["completed", "failed", "incomplete", "open", "interrupted", "blocked", "last of two"],
)
def test_the_exit_status_is_the_runs(
    turnreel: Turnreel,
    cassette: Cassette,
    written: list[Written],
    exit_code: int | None,
    status: int,
    state: str,
) -> None:
    """O7; of several runs the last one of the main thread decides."""
    made = cassette("one", written, exit_code)
    answer = turnreel("status", made)
    assert answer.status == status
    assert answer.out.splitlines()[-1].split()[1] == state
    views = json.loads(turnreel("status", made, "--json").out)
    assert (views[-1]["terminal"] or {"outcome": "open"})["outcome"] == state


def test_events_are_lines_of_json_whatever_the_outcome(
    turnreel: Turnreel, cassette: Cassette
) -> None:
    answer = turnreel("events", cassette("failed", FAILED, 1))
    assert (answer.status, answer.err) == (0, "")
    events = [json.loads(line) for line in answer.out.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["type"] == "failed"


def test_show_names_the_records_that_evidence_names(turnreel: Turnreel, cassette: Cassette) -> None:
    made = cassette("one", lines(COMPLETED))
    final = json.loads(turnreel("events", made).out.splitlines()[-1])
    number = final["evidence"][-1]["index"]
    shown = turnreel("show", made).out.splitlines()
    line = next(line for line in shown if line.startswith(f"#{number} "))
    assert "result/success" in line
    assert shown[-1] == '  final "It is **42**." healthy'


def test_show_takes_parts_and_places(turnreel: Turnreel, cassette: Cassette) -> None:
    made = cassette("one", lines(COMPLETED))
    assert turnreel("show", made, "--part", "turns").out.startswith("run\n")
    late = turnreel(
        "show", made, "--part", "records", "--from", "5", "--width", "40"
    ).out.splitlines()
    assert late[0].startswith("#5 ")
    assert all(len(line) <= 40 for line in late)


def test_diff_tells_what_was_said_and_what_came_out(turnreel: Turnreel, cassette: Cassette) -> None:
    one = cassette("one", lines(COMPLETED))
    other = cassette("other", lines(COMPLETED)[:-1])
    same = turnreel("diff", one, one)
    assert (same.status, same.out) == (0, "")
    differs = turnreel("diff", one, other)
    assert differs.status == 1
    assert "result/success" in differs.out
    assert '-  final "It is **42**." healthy' in differs.out
    turns = turnreel("diff", one, other, "--turns")
    assert turns.status == 1
    assert "result/success" not in turns.out


def test_events_after_a_cursor_are_exactly_the_rest(turnreel: Turnreel, cassette: Cassette) -> None:
    made = cassette("one", lines(COMPLETED), 0)
    whole = turnreel("events", made).out.splitlines()
    for place, line in enumerate(whole):
        after = turnreel("events", made, "--after", json.loads(line)["id"])
        assert (after.status, after.out.splitlines()) == (0, whole[place + 1 :])
    unknown = turnreel("events", made, "--after", "stdin.1:1")
    assert (unknown.status, unknown.out) == (2, "")
    assert "has no event 'stdin.1:1'" in unknown.err and unknown.err.count("\n") == 1


def test_show_tells_what_was_dropped(turnreel: Turnreel, cassette: Cassette) -> None:
    late = [(side, line) for side, line in later(lines(COMPLETED)) if line["type"] == "result"]
    shown = turnreel("show", cassette("one", [*lines(COMPLETED), *late])).out.splitlines()
    assert shown[-1] == "dropped and counted: late or foreign result (1)"
