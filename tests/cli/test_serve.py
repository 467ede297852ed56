"""``turnreel serve`` over many cassettes, strictly, in front of live traffic, and controlled."""

from __future__ import annotations

import json
import signal
import socket
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Turnreel
from tests.cli.test_replaying import running, stopped

LIBRARY = Path(__file__).parents[2] / "cassettes" / "library"
CODEX = LIBRARY / "codex-exec" / "0.171.0"
CLAUDE = LIBRARY / "claude-stream-json" / "2.1.332"
ONE = CLAUDE / "multi-tool.cassette.jsonl"


def call(url: str, method: str = "POST", said: object = None) -> tuple[int, Any]:
    body = json.dumps({"stream": True} if said is None else said).encode()
    request = urllib.request.Request(url, body if method == "POST" else None, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def test_folders_and_files_are_served_together() -> None:
    with running(["serve", ONE, CODEX, "--pacing", "max"]) as (child, url):
        assert b"message_stop" in call(f"{url}/v1/messages")[1]
        assert b"response.completed" in call(f"{url}/v1/responses")[1]
        status, err = stopped(child)
    assert status == 0
    assert err.startswith("answered 2 of 2 requests from ")
    assert err.splitlines()[0].endswith(" cassettes")


@pytest.mark.parametrize(("strictly", "status"), [([], 0), (["--strict"], 1)])
def test_strictly_a_miss_is_a_failure(strictly: list[str], status: int) -> None:
    with running(["serve", ONE, *strictly]) as (child, url):
        code, body = call(f"{url}/v1/elsewhere")
        got, err = stopped(child)
    assert code == 400
    assert "was not recorded; recorded: POST /v1/messages" in json.loads(body)["error"]["message"]
    assert "miss: request 1: POST /v1/elsewhere was not recorded" in err
    assert got == status


def test_equal_misses_are_told_once_with_their_number() -> None:
    with running(["serve", ONE]) as (child, url):
        for path in ("elsewhere", "elsewhere", "nowhere", "elsewhere"):
            call(f"{url}/v1/{path}")
        _, err = stopped(child)
    answered, first, second = err.splitlines()
    assert answered.startswith("answered 0 of 4 requests")
    assert first.startswith("miss: 3 requests, 1 to 4: POST /v1/elsewhere was not recorded")
    assert second.startswith("miss: request 3: POST /v1/nowhere was not recorded")


def test_a_program_gets_the_report_behind_the_url() -> None:
    with running(["serve", ONE, "--json", "--pacing", "max"]) as (child, url):
        for path in ("messages", "elsewhere", "elsewhere"):
            call(f"{url}/v1/{path}")
        child.send_signal(signal.SIGTERM)
        out, err = child.communicate(timeout=20)
    report = json.loads(out)
    assert (child.returncode, err) == (0, "")
    assert (report["requests"], report["missed"]) == (3, 2)
    (alike,) = report["alike"]
    assert (alike["count"], alike["first"], alike["last"]) == (2, 2, 3)
    assert [one["form"] for one in report["served"]] == ["recorded", "miss", "miss"]


def test_strictly_nothing_missed_is_no_failure() -> None:
    with running(["serve", ONE, "--strict", "--pacing", "max"]) as (child, url):
        call(f"{url}/v1/messages")
        assert stopped(child)[0] == 0


def test_a_running_server_is_controlled() -> None:
    with running(["serve", ONE, "--pacing", "max", "--control"]) as (child, url):
        assert child.stdout is not None
        control = child.stdout.readline().strip()
        assert control.startswith("http://127.0.0.1:")
        status, state = call(f"{control}/faults", said={"faults": ["status:529"]})
        assert (status, json.loads(state)["faults"][0]["planned"]) == (201, 1)
        assert call(f"{url}/v1/messages")[0] == 529
        assert json.loads(call(f"{control}/state", "GET")[1])["requests"] == 1
        assert call(control.rpartition("/")[0] + "/wrong/state", "GET")[0] == 403
        status, err = stopped(child)
    assert status == 0
    assert "fault: status:529 fired 1 of 1" in err


def test_live_traffic_meets_the_faults() -> None:
    with running(["serve", ONE, "--pacing", "max"]) as (behind, upstream):
        words = ["serve", "--forward", upstream, "--fault", "drop@type=ping"]
        with running([*words, "--fault", "status:529"]) as (child, url):
            assert call(f"{url}/v1/messages")[0] == 529
            code, body = call(f"{url}/v1/messages")
            status, err = stopped(child)
        stopped(behind)
    assert (code, status) == (200, 0)
    assert b"message_stop" in body
    assert "status:529 fired 1 of 1" in err
    assert "drop@type=ping fired 1 of 1" in err


def test_live_websockets_meet_the_faults(turnreel: Turnreel) -> None:
    web = CODEX / "ws-two-requests.cassette.jsonl"
    with running(["serve", web, "--pacing", "max"]) as (behind, upstream):
        words = ["serve", "--forward", upstream, "--fault", "close:1011@event=3,exchange=2"]
        with running(words) as (child, url):
            told = json.loads(turnreel("client", web, "--to", url, "--pacing", "max", "--json").out)
            status, err = stopped(child)
        stopped(behind)
    assert [one["answers"][0]["events"] for one in told] == [2, 3]
    assert [one["as_recorded"] for one in told] == [True, False]
    assert status == 0
    assert "close:1011,exchange=2@event=3 fired 1 of 1" in err


def test_a_taken_port_of_the_control_api_is_one_line(turnreel: Turnreel) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        answer = turnreel("serve", ONE, f"--control=127.0.0.1:{port}")
    assert answer.status == 2
    assert answer.one_line() == f"port {port} on 127.0.0.1 is in use (choose another, or 0)"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "one of the two"),
        (["--forward", ""], "is not a base URL"),
        (["--forward", "http://[::1"], "is not a base URL"),
        (["--forward", "http://127.0.0.1:99999"], "is not a base URL"),
        (["--forward", "http://127.0.0.1:9", "--fault", "replay"], "has no end yet"),
        ([str(ONE), "--pacing", "factor:1e300"], "is not known"),
        (["--forward", "http://127.0.0.1:9", str(ONE)], "one of the two"),
        (["--forward", "nonsense"], "is not a base URL"),
        (["--forward", "http://127.0.0.1:9", "--pacing", "max"], "a pace of its own"),
        (["--forward", "http://127.0.0.1:9", "--dry-run"], "nothing is known"),
        ([str(ONE), "--dry-run", "--json"], "--dry-run answers nothing"),
        ([str(ONE), "--control", "0.0.0.0:0"], "loopback alone"),
        ([str(ONE), "--control", "nonsense"], "not an address"),
        ([str(ONE), "--host", "192.0.2.1"], "cannot listen"),
        ([str(ONE), "--port", "70000"], "is not a port"),
        (["nowhere"], "no such file or folder"),
    ],
)
def test_mistakes_are_told(turnreel: Turnreel, words: list[str], told: str) -> None:
    answer = turnreel("serve", *words)
    assert answer.status == 2
    assert told in answer.err.splitlines()[-1]
    assert "Traceback" not in answer.err
