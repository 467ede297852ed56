"""An agent behind HTTP, recorded as a whole: a real server, real hosts, a sealed cassette."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from turnreel.adapters import registry
from turnreel.adapters.bodies import Answer, Event
from turnreel.adapters.hermes_runs import builders
from turnreel.adapters.steps import Script
from turnreel.cassettes import Cassette, open_cassette
from turnreel.conformance.goldens import turn_text
from turnreel.conformance.scenarios import required
from turnreel.conformance.scenarios.playing import played
from turnreel.recorder import RecorderError
from turnreel.recorder.captures import import_capture
from turnreel.recorder.linting import lint
from turnreel.recorder.record import Wanted
from turnreel.recorder.serving import Server as Place
from turnreel.recorder.serving import record_server
from turnreel.recorder.surfaces import SURFACES
from turnreel.replayer import refeed

from .scripted_server import RUN, VERSION, Server, serving, written

SCRIPTS: dict[str, Script] = {one.id: one.script for one in required()}
HOST = Path(__file__).with_name("fake_host.py")
LISTEN = ["GET", f"/v1/runs/{RUN}/events"]
ASK = ["GET", f"/v1/runs/{RUN}"]


class Session:
    """A recording of what a host does with a server, in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.target = folder / "session.cassette.jsonl"

    def env(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "TMPDIR": str(self.folder),
            "FAKE_STEPS": str(self.folder / "steps"),
        }  # fmt: skip

    def command(self, url: str, *more: str) -> list[str]:
        words = ["record", "--agent-url", url, "--to", str(self.target), "--keep-text", *more]
        return [sys.executable, "-m", "turnreel", *words]

    def hosted(self, app: web.Application, *steps: list[Any]) -> str:
        """Record a host that does these steps; what it printed."""
        (self.folder / "steps").write_text("".join(json.dumps(step) + "\n" for step in steps))
        with serving(app) as url:
            done = subprocess.run(
                [*self.command(url), "--", sys.executable, str(HOST)],
                env=self.env(), stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
            )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout.decode()

    def cassette(self) -> Cassette:
        return open_cassette(self.target)

    def turn(self) -> str:
        return turn_text(refeed.events(self.cassette()))

    def codes(self, track: str) -> list[str]:
        return [record.code for record in self.cassette() if record.track == track]


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


def steps_of(answer: Answer, dialect: str) -> list[list[Any]]:
    """What a host does to have this turn."""
    listen: list[Any] = [answer.method, answer.path]
    if any(not isinstance(event, Event) for event in answer.events):
        listen += ["tool.started", ["POST", f"/v1/runs/{RUN}/stop"]]
    return [["POST", "/v1/runs"], listen] if dialect == "hermes-runs" else [listen]


@pytest.mark.parametrize("dialect", SURFACES.values())
def test_a_recorded_turn_is_the_scripted_one(session: Session, dialect: str) -> None:
    script = SCRIPTS["several-tools"]
    answer = registry.answer(dialect)(script)
    server = Server(answer)
    session.hosted(server.app(), *steps_of(answer, dialect))
    assert server.asked == ["Bearer canary-key-0123456789"]
    cassette = session.cassette()
    assert cassette.seal is not None
    assert (cassette.header.agent.name, cassette.header.agent.version) == ("hermes", VERSION)
    assert {t.id: t.dialect for t in cassette.header.tracks} == {**SURFACES, "host": "edge"}
    assert session.turn() == turn_text(played(dialect, script))
    assert "canary" not in session.target.read_text()
    assert lint(session.target).found == ()


def test_a_stop_is_the_hosts_word_for_that_run(session: Session) -> None:
    script = SCRIPTS["cancelled"]
    answer = registry.answer("hermes-runs")(script)
    session.hosted(Server(answer).app(), *steps_of(answer, "hermes-runs"))
    assert session.turn() == turn_text(played("hermes-runs", script))
    assert session.codes("host") == ["cancel_requested", "closed", "unreconciled"]
    records = {record.code: record.data for record in session.cassette() if record.track == "host"}
    assert records["cancel_requested"] == {"turn": RUN, "via": "stop"}


def test_a_live_recording_and_an_imported_capture_have_one_shape(
    session: Session, tmp_path: Path
) -> None:
    answer = registry.answer("hermes-runs")(SCRIPTS["several-tools"])
    session.hosted(Server(answer).app(), LISTEN)
    head = {
        "capture": "x", "agent": "hermes", "version": VERSION,
        "request": {"method": answer.method, "path": answer.path},
    }  # fmt: skip
    told = [
        {"t_ms": n, "dir": "out", "text": written(event)}
        for n, event in enumerate(answer.events)
        if isinstance(event, Event)
    ]
    end = {"t_ms": 99, "dir": "end", "text": "chunked-terminator"}
    capture, target = tmp_path / "x.jsonl", tmp_path / "x.cassette.jsonl"
    capture.write_text("".join(json.dumps(line) + "\n" for line in (head, *told, end)))
    import_capture(capture, target)
    imported = open_cassette(target)
    assert turn_text(refeed.events(imported)) == session.turn()
    assert [
        (record.code, record.data if record.code == "data" else None)
        for record in session.cassette()
    ] == [(record.code, record.data if record.code == "data" else None) for record in imported]


def cut(status: dict[str, Any], session: Session, script: Script, *, asks: bool = True) -> str:
    """The turn of a run whose stream was cut before its last events, and then asked for."""
    answer = registry.answer("hermes-runs")(script)
    after = len(answer.events) - 2
    app = Server(answer, after, status).app()
    session.hosted(app, ["POST", "/v1/runs"], LISTEN, *([ASK] if asks else []))
    return session.turn().splitlines()[-1].strip()


DONE = {"status": "completed", "output": "The total is **76**.", "usage": {"total_tokens": 9}}


@pytest.mark.parametrize(
    ("status", "ending"),
    [
        (DONE, 'final "The total is **76**." degraded'),
        ({**DONE, "output": "The total is 77."}, "failed missing_final degraded"),
        ({**DONE, "usage": {"total_tokens": 0}}, "failed missing_final degraded"),
        ({**DONE, "output": "⚠️ No reply: nothing."}, "failed missing_final degraded"),
        ({"status": "failed", "error": "HTTP 401: no"}, "failed auth degraded"),
        ({"status": "cancelled"}, "failed incomplete degraded"),
        ({"status": "running"}, "failed incomplete degraded"),
        ({**DONE, "run_id": "run_" + "f" * 32}, "failed incomplete degraded"),
    ],
)
def test_what_a_run_says_when_asked_settles_it(
    session: Session, status: dict[str, Any], ending: str
) -> None:
    assert cut(status, session, SCRIPTS["several-tools"]) == ending
    assert session.codes("host") == ["closed", "unreconciled"]


def test_nobody_asked_so_nothing_is_known(session: Session) -> None:
    assert cut(DONE, session, SCRIPTS["several-tools"], asks=False) == "failed incomplete degraded"


def test_a_run_that_nobody_listens_to_is_known_by_asking(session: Session) -> None:
    answer = registry.answer("hermes-runs")(SCRIPTS["several-tools"])
    session.hosted(Server(answer, None, DONE).app(), ["POST", "/v1/runs"], ASK)
    assert session.turn().splitlines()[-1].strip() == 'final "The total is **76**." degraded'


def test_a_hang_up_and_a_second_listening_are_one_run(session: Session) -> None:
    answer = registry.answer("hermes-runs")(SCRIPTS["several-tools"])
    session.hosted(Server(answer, held_after=5).app(), [*LISTEN, "tool.started"], LISTEN)
    assert session.codes("host") == ["closed", "reopened", "closed", "unreconciled"]
    assert session.turn() == turn_text(played("hermes-runs", SCRIPTS["several-tools"]))


def test_the_provider_of_the_server_is_recorded_beside_it(session: Session) -> None:
    async def models(request: web.Request) -> web.StreamResponse:
        return web.json_response({"object": "list", "data": []})

    provider = web.Application()
    provider.router.add_get("/v1/models", models)
    code = (
        "import os, urllib.request\n"
        "for name in ('OPENAI_BASE_URL', 'TURNREEL_AGENT_URL'):\n"
        "    path = '/models' if name == 'OPENAI_BASE_URL' else '/health'\n"
        "    print(urllib.request.urlopen(os.environ[name] + path).status)"
    )
    server = Server(Answer("GET", "/unused", ())).app()
    with serving(server) as url, serving(provider) as place:
        more = ["--provider-url", f"{place}/v1", "--", sys.executable, "-c", code]
        done = subprocess.run(
            [*session.command(url), *more], env=session.env(), capture_output=True, timeout=60
        )
    assert (done.returncode, done.stdout) == (0, b"200\n200\n"), done.stderr
    assert session.codes("provider") == ["request", "response", "data", "end"]
    assert {track.id for track in session.cassette().header.tracks} == {
        *SURFACES, "provider", "host",
    }  # fmt: skip


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_without_a_command_it_records_until_it_is_told_to_stop(
    session: Session, number: signal.Signals
) -> None:
    async def hangs(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await response.prepare(request)
        await response.write(written(builders.Stream(RUN).delta("Hello ")).encode())
        await asyncio.Event().wait()
        return response

    app = web.Application()
    app.router.add_get("/v1/runs/{run}/events", hangs)
    with serving(app) as url:
        process = subprocess.Popen(
            session.command(url), env=session.env(), stdout=subprocess.PIPE, text=True
        )
        with process:
            assert process.stdout is not None
            name, _, base = process.stdout.readline().strip().partition("=")
            assert name == "TURNREEL_AGENT_URL"
            (session.folder / "steps").write_text(json.dumps([*LISTEN, "Hello"]))
            env = {**session.env(), name: base}
            subprocess.run([sys.executable, str(HOST)], env=env, check=True, timeout=30)
            process.send_signal(number)
            assert process.wait(30) == 0
    assert session.codes("runs")[:3] == ["request", "response", "data"]
    assert session.codes("host") == ["closed", "unreconciled"]
    assert session.turn().splitlines()[-1].strip() == "failed incomplete degraded"


WAITING = """
import http.client, os, signal, sys
from urllib.parse import urlsplit
base = urlsplit(os.environ["TURNREEL_AGENT_URL"])
connection = http.client.HTTPConnection(base.hostname, base.port)
connection.request("GET", sys.argv[1])
connection.getresponse().read1()
print("up", flush=True)
signal.pause()
"""


def held(session: Session) -> web.Application:
    """A server that says the beginning of a turn and no more."""
    answer = registry.answer("hermes-runs")(SCRIPTS["several-tools"])
    return Server(answer, held_after=5).app()


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_signal_for_the_recorder_is_its_commands(session: Session, name: str) -> None:
    number = signal.Signals[name]
    with serving(held(session)) as url:
        process = subprocess.Popen(
            [*session.command(url), "--", sys.executable, "-c", WAITING, LISTEN[1]],
            env=session.env(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        with process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"up\n"
            process.send_signal(number)
            assert process.wait(30) in (-number, 1)  # Python's own SIGINT ends with 1 in a script
    assert session.cassette().seal is not None
    assert session.codes("host") == ["closed", "unreconciled"]
    assert session.turn().splitlines()[-1].strip() == "failed incomplete degraded"


def test_what_was_recorded_survives_a_kill(session: Session) -> None:
    with serving(held(session)) as url:
        process = subprocess.Popen(
            [*session.command(url), "--", sys.executable, "-c", WAITING, LISTEN[1]],
            env=session.env(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        with process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"up\n"
            process.kill()
    deadline = time.monotonic() + 30
    while b'"request"' not in session.target.read_bytes():
        assert time.monotonic() < deadline, "the sealing process leaves what is whole"
        time.sleep(0.05)
    assert session.cassette().seal is None
    assert session.turn().split()[-1:] in ([], ["open"]), "as far as it was told"
    assert [one.name for one in session.folder.iterdir()] == [session.target.name]


def test_callers_mistakes_leave_nothing(session: Session) -> None:
    for url, argv, message in (
        ("nonsense", [], "not a base URL"),
        ("http://127.0.0.1:1", ["no-such-program"], "command not found"),
    ):
        with pytest.raises(RecorderError, match=message):
            record_server(Place(url=url), session.target, Wanted(), ready=lambda _: None, argv=argv)
    assert not session.target.exists()
    for words in (["--agent-listen", "127.0.0.1:0", "--", "x"], ["--agent-url", "x", "--pty"], []):
        done = subprocess.run(
            [sys.executable, "-m", "turnreel", "record", *words], env=session.env(),
            capture_output=True, timeout=30,
        )  # fmt: skip
        assert done.returncode == 2, words
