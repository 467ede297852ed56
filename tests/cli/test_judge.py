"""Somebody else's events: read, judged, and what is none is said once a line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.captures import COMPLETED, native
from tests.cli.command import Turnreel


@pytest.fixture
def events(turnreel: Turnreel) -> list[str]:
    return turnreel("translate", stdin=native(COMPLETED)).out.splitlines()


def test_what_translate_prints_is_right(turnreel: Turnreel, events: list[str]) -> None:
    answer = turnreel("judge", stdin="\n".join(events).encode())
    assert (answer.status, answer.err) == (0, "")
    assert answer.out == f"1 run, {len(events)} events, 0 violations\n"


def test_a_broken_turn_is_explained(turnreel: Turnreel, events: list[str], tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text("\n".join([*events, events[-1].replace('"seq":', '"seq": 9')]) + "\n")
    answer = turnreel("judge", path)
    assert answer.status == 1
    clauses = {line.split(":")[0] for line in answer.out.splitlines() if line[0] in "ETCRGOVY"}
    assert {"T1", "T6"} & clauses
    assert "    " in answer.out
    told = json.loads(turnreel("judge", path, "--json").out)
    assert told["ok"] is False
    assert {one["clause"] for one in told["violations"]} == clauses


def test_a_sessions_journal_is_judged_as_one(
    turnreel: Turnreel, events: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "journal.jsonl"
    opening = [
        '{"type": "session.opened"}',
        '{"type": "session.said", "message_id": "m1"}',
        '{"type": "session.action", "kind": "start", "messages": ["m1"]}',
        '{"type": "session.state", "state": "working"}',
        *events,
    ]
    path.write_text(
        "\n".join([*opening, '{"type": "session.state", "state": "awaiting_operator"}'])
    )
    answer = turnreel("judge", path)
    assert answer.out == f"1 run, {len(events)} events, 5 notices, 0 violations\n"
    path.write_text("\n".join([*opening, '{"type": "session.state", "state": "concluded"}']))
    answer = turnreel("judge", path)
    assert answer.status == 1
    assert answer.out.splitlines()[0] == (
        f"G6: entry {len(opening)}: concluded, and no person did it"
    )


def test_what_the_schema_grows_by_is_ignored(turnreel: Turnreel, events: list[str]) -> None:
    grown = [json.dumps({**json.loads(line), "tomorrow": [1]}) for line in events]
    mood = json.dumps({"type": "mood", "run_id": "stdin.1", "seq": 9, "terminal": False})
    answer = turnreel("judge", stdin="\n".join([*grown, mood, ""]).encode())
    assert answer.status == 0
    assert "ignored: 1 event of the unknown type mood" in answer.out
    ended = mood.replace("false", "true")
    assert (
        "E3: line 6: unknown terminal type 'mood'"
        in turnreel("judge", stdin="\n".join([*grown, ended]).encode()).out
    )


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("nonsense", "is not JSON"),
        ("[]", "has no type"),
        ('{"type":7}', "has no type"),
        ('{"type":"final"}', "is no final"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_a_line_that_is_no_event_hides_no_other(
    turnreel: Turnreel, events: list[str], line: str, why: str
) -> None:
    answer = turnreel("judge", stdin="\n".join([line, *events]).encode())
    assert answer.status == 1
    assert f"E1: line 1: {why}" in answer.out or f"E1: line 1: is no event: it {why}" in answer.out
    assert answer.out.endswith(f"1 run, {len(events)} events, 1 violation\n")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", ""),
        (b"\n\n", ""),
        (b"not one\n", ": line 1: is not JSON"),
        (b"\n\xff\xfe\x00\n[]", ": line 2: is not JSON"),
        (
            b'{"type": "session.said"}',
            ": line 1: is no session.said: Object missing required field `message_id`",
        ),
    ],
)
def test_a_file_without_events_is_a_mistake(turnreel: Turnreel, content: bytes, why: str) -> None:
    answer = turnreel("judge", stdin=content)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == (
        f"turnreel: stdin: holds no event of turn/1{why} "
        "(one JSON object a line, as turnreel translate prints them)\n"
    )


def test_a_file_that_is_not_there(turnreel: Turnreel, tmp_path: Path) -> None:
    answer = turnreel("judge", tmp_path / "none.jsonl")
    assert (answer.status, answer.err.count("\n")) == (2, 1)
