"""serve and shim: a cassette played as provider and as agent, and record and proxy beside them."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.captures import COMPLETED, native, write_capture
from tests.cli.command import Turnreel
from turnreel.adapters.claude_stream_json.render import lines
from turnreel.cli.demo_provider import PROMPT, provider, story
from turnreel.recorder.captures import import_capture

AGENT = [sys.executable, "-m", "turnreel.cli.demo_agent", PROMPT]
CLAUDE = ("--dialect", "claude-stream-json", "--profile", "fixture")


@contextmanager
def running(words: Sequence[str | Path]) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A command that serves until it is told to stop, and the base URL it printed."""
    with subprocess.Popen(
        [sys.executable, "-m", "turnreel", *map(str, words)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        assert child.stdout is not None
        try:
            yield child, child.stdout.readline().strip()
        finally:
            if child.poll() is None:
                child.kill()


def stopped(child: subprocess.Popen[str]) -> tuple[int, str]:
    """Ask it to stop; its status and what it said on stderr."""
    child.send_signal(signal.SIGTERM)
    _, err = child.communicate(timeout=20)
    return child.returncode, err


def ask(url: str, messages: list[object]) -> bytes:
    body = {"model": "claude-sonnet-4-5-20250929", "stream": True, "messages": messages}
    request = urllib.request.Request(
        f"{url}/v1/messages", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=10) as response:
        answer: bytes = response.read()
    return answer


QUESTION: list[object] = [{"role": "user", "content": PROMPT}]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's agent recorded with its provider, by the command."""
    folder = tmp_path_factory.mktemp("session")
    target = folder / "session.cassette.jsonl"
    with provider(story(folder / "report.csv")) as url:
        words = ["record", "--to", target, "--provider-url", url, *CLAUDE, "--", *AGENT]
        done = subprocess.run(
            [sys.executable, "-m", "turnreel", *map(str, words)], capture_output=True, check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")
    return target


def test_what_was_recorded_is_the_turn(turnreel: Turnreel, session: Path) -> None:
    assert turnreel("status", session).status == 0
    assert turnreel("lint", session).status == 0
    shown = turnreel("show", session, "--part", "turns").out
    assert 'commentary "I\'ll read the report first, then add up the regions."' in shown
    assert 'final "The total is **76**.' in shown


def test_a_served_cassette_answers_as_recorded(session: Path) -> None:
    with running(["serve", session, "--pacing", "max"]) as (child, url):
        answer = ask(url, QUESTION)
        status, err = stopped(child)
    assert status == 0
    assert b"event: message_stop" in answer
    assert "answered 1 of 1 requests" in err


def test_a_fault_fires_as_often_as_planned(session: Path) -> None:
    with running(["serve", session, "--pacing", "max", "--fault", "status:529"]) as (child, url):
        with pytest.raises(urllib.error.HTTPError) as refused:
            ask(url, QUESTION)
        assert refused.value.code == 529
        refused.value.close()
        assert b"message_stop" in ask(url, QUESTION)
        status, err = stopped(child)
    assert status == 0
    assert "status:529 fired 1 of 1" in err


def test_a_fault_that_never_fired_is_an_error(session: Path) -> None:
    with running(["serve", session, "--fault", "cut:clean@event=3"]) as (child, _):
        status, err = stopped(child)
    assert status == 2
    assert err.splitlines()[-1].startswith("turnreel: a planned fault did not happen: cut:clean")


def test_a_plan_file_and_options_make_one_plan(session: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('seed = 3\npacing = "max"\nfaults = ["status:500"]\n')
    words = ["serve", session, "--plan", plan, "--fault", "status:429", "--seed", "9"]
    with running(words) as (child, url):
        codes = []
        for _ in range(2):
            with pytest.raises(urllib.error.HTTPError) as refused:
                ask(url, QUESTION)
            codes.append(refused.value.code)
            refused.value.close()
        status, err = stopped(child)
    assert (status, codes) == (0, [500, 429])
    assert "(seed 9)" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--fault", "explode"), "explode"),
        (("--fault", "cut:reset@event=9999"), "cut:reset@event=9999 can never happen here"),
        (("--fault", "kill@event=1"), "the server cannot do that"),
        (("--pacing", "slow"), "pacing `slow` is not known"),
        (("--plan", "absent.toml"), "absent.toml: "),
        (("--port", "70000"), "70000 is not a port"),
    ],
)
def test_a_plan_that_cannot_be_is_one_line(
    turnreel: Turnreel, session: Path, words: tuple[str, ...], said: str
) -> None:
    answer = turnreel("serve", session, *words)
    assert answer.status == 2
    assert said in answer.one_line()


def test_a_port_in_use_is_one_line(turnreel: Turnreel, session: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        answer = turnreel("serve", session, "--port", port)
    assert answer.status == 2
    assert answer.one_line().startswith(f"port {port} on 127.0.0.1 is in use")


def test_an_agent_without_provider_cannot_be_served(turnreel: Turnreel, tmp_path: Path) -> None:
    target = tmp_path / "one.cassette.jsonl"
    import_capture(write_capture(tmp_path / "one.jsonl", lines(COMPLETED)), target)
    answer = turnreel("serve", target)
    assert answer.status == 2
    assert "holds no provider exchanges" in answer.one_line()


def test_the_shim_is_the_agent(turnreel: Turnreel, session: Path) -> None:
    played = turnreel("shim", "--pacing", "max", session, "-p", "--output-format", "stream-json")
    assert (played.status, played.err) == (0, "")
    assert [json.loads(line)["type"] for line in played.out.splitlines()][-1] == "result"
    assert turnreel("shim", session, "--version").out == "2.1.332 (Claude Code)\n"


def test_the_shim_ends_as_planned(turnreel: Turnreel, session: Path) -> None:
    fault = ("--pacing", "max", "--fault")
    assert turnreel("shim", *fault, "exit:7@event=2", session).status == 7
    killed = turnreel("shim", *fault, "kill@event=2", session)
    assert killed.status == -signal.SIGKILL
    assert len(killed.out.splitlines()) == 2


@pytest.mark.parametrize(
    ("program", "status"),
    [
        ("import sys; sys.exit(7)", 7),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM),
    ],
)
def test_record_ends_as_the_command_ended(turnreel: Turnreel, program: str, status: int) -> None:
    words = ("--to", "one.cassette.jsonl", *CLAUDE, "--", sys.executable, "-c", program)
    answer = turnreel("record", *words)
    assert (answer.status, answer.out, answer.err) == (status, "", "")


def test_record_passes_everything_on_and_says_where_it_went(
    turnreel: Turnreel, tmp_path: Path
) -> None:
    """Without --to the name is made of the program and the time."""
    printed = tmp_path / "printed.jsonl"
    printed.write_bytes(native(COMPLETED) + b"not JSON, \xff not even text")
    program = f"import sys; sys.stdout.buffer.write(open({str(printed)!r}, 'rb').read())"
    child = subprocess.run(
        [sys.executable, "-m", "turnreel", "record", *CLAUDE, "--", sys.executable, "-c", program],
        cwd=tmp_path, capture_output=True, check=False, env=os.environ,
    )  # fmt: skip
    [made] = tmp_path.glob("*.cassette.jsonl")
    assert child.stdout == printed.read_bytes()
    assert child.stderr.decode().endswith(f"in {made.name}\n")
    assert turnreel("status", made).status == 0


def test_a_signal_reaches_the_agent_and_the_cassette(turnreel: Turnreel, tmp_path: Path) -> None:
    target = tmp_path / "one.cassette.jsonl"
    waits = "import sys, signal; print('{}', flush=True); signal.pause()"
    words = ["record", "--to", target, *CLAUDE, "--", sys.executable, "-c", waits]
    with subprocess.Popen(
        [sys.executable, "-m", "turnreel", *map(str, words)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
    ) as child:  # fmt: skip
        assert child.stdout is not None
        assert child.stdout.readline() == b"{}\n"
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=20)
    assert "signal name=SIGINT" in turnreel("show", target, "--part", "records").out
    assert child.returncode == -signal.SIGINT


def test_the_proxy_records_whoever_asks(turnreel: Turnreel, tmp_path: Path) -> None:
    folder = tmp_path / "recordings"
    with (
        provider(story(tmp_path / "report.csv")) as upstream,
        running(["proxy", "--upstream", upstream, "--to", folder]) as (child, url),
    ):
        assert b"message_stop" in ask(url, QUESTION)
        status, _ = stopped(child)
    assert status == 0
    [made] = folder.glob("*.cassette.jsonl")
    assert turnreel("lint", made).status == 0
    records = turnreel("show", made, "--part", "records").out
    assert "provider data[1] message_stop" in records
    assert turnreel("status", made).status == 3


def test_a_dry_run_says_what_would_happen_to_which_event(turnreel: Turnreel, session: Path) -> None:
    plan = ("--fault", "status:529", "--fault", "drop@type=message_stop", "--seed", "4")
    answer = turnreel("serve", session, *plan, "--dry-run")
    assert (answer.status, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0] == "seed 4, pacing 1x"
    assert sum(line.endswith("<- status:529") for line in lines) == 1
    dropped = [line for line in lines if line.endswith("is dropped  <- drop@type=message_stop")]
    assert len(dropped) == 1
    assert lines[-1].startswith("exchange 2 POST ") and lines[-1].endswith(": as recorded")
    shown = turnreel("shim", "--dry-run", "--fault", "exit:2@event=terminal", session)
    assert shown.out.splitlines()[-1].endswith("exit 2  <- exit:2@event=terminal")


def test_a_dry_run_finds_what_would_not_happen(turnreel: Turnreel, session: Path) -> None:
    lost = turnreel("serve", session, "--fault", "drop@type=mesage_stop", "--dry-run")
    assert lost.status == 2
    assert "closest: message_stop (1)" in lost.one_line()
    place = "exchange=1,event=2"
    gone = ("--fault", f"drop@{place}", "--fault", f"duplicate@{place}")
    twice = turnreel("serve", session, *gone, "--dry-run")
    assert twice.status == 2
    assert "fired 0 of 1 times; closest: exchange 1 has its place (seed 0)" in twice.err


def test_the_vocabulary_is_one_table(turnreel: Turnreel) -> None:
    listed = turnreel("faults").out
    told = json.loads(turnreel("faults", "--json").out)
    schema = json.loads(turnreel("faults", "--schema").out)
    names = {word["fault"] for word in told}
    assert len(names) == 33
    assert all(f"\n{name} " in listed for name in names)
    assert {one["title"] for one in schema["properties"]["faults"]["items"]["anyOf"][1:]} == names
    page = Path("docs/faults.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in page for name in names)


def test_one_fault_by_name(turnreel: Turnreel) -> None:
    [word] = json.loads(turnreel("faults", "cut", "--json").out)
    assert word["examples"] == ["cut:reset@byte=812", "cut:chunk@event=3"]
    answer = turnreel("faults", "cutt")
    assert answer.status == 2
    assert "did you mean cut?" in answer.one_line()
