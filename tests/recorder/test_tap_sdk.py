"""A host that was written with the agent's own SDK, with the tap in the agent's place and without:
it is told the same, byte for byte, and what was recorded is the turn it saw.

The agent is a scripted one. ``TURNREEL_CLAUDE=/path/to/claude`` adds the real one, against a
scripted provider on loopback: no key, no network.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from turnreel.adapters.anthropic_messages.render import replies
from turnreel.adapters.steps import Answer, Call, Say
from turnreel.cassettes.turnfile import render_turns
from turnreel.lifecycle.fold import fold
from turnreel.recorder.tap import Tap, install
from turnreel.replayer import refeed

from .conftest import chunked, send, served
from .test_tap import Place, write_program

HOST = Path(__file__).with_name("sdk_host.py")
SCRIPTED = Path(__file__).with_name("scripted_claude.py")
SESSION = "5e550000-0000-4000-8000-000000000001"
TURNS = {
    "tools": (
        "run\n"
        '  commentary "I\'ll look first."\n'
        "  activity Read file_read ok\n"
        '  commentary "And around it."\n'
        "  activity Bash command ok\n"
        '  final "All is **well**." healthy\n'
    ),
    "allow": (
        "run\n"
        "  activity Bash command ok\n"
        "  gate approval approved\n"
        '  final "All is **well**." healthy\n'
    ),
    "deny": (
        "run\n"
        "  activity Bash command declined\n"
        "  gate approval declined\n"
        '  final "All is **well**." healthy\n'
    ),
    "interrupt": "run\n  cancelled healthy\n",
    "resume": 'run\n  final "All is **well**." healthy\n',
}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    one = Place(tmp_path)
    write_program(one.real, f"exec(compile(open({str(SCRIPTED)!r}).read(), 'scripted', 'exec'))\n")
    one.env |= {"HOME": str(tmp_path), "SCRIPTED_SEEN": str(tmp_path / "seen")}
    return one


def hosted(
    place: Place, program: Path, turn: str, session: str | None = None
) -> tuple[bytes, bytes]:
    """What the host was told with `program` as the agent."""
    done = subprocess.run(
        [sys.executable, HOST, program, turn, *filter(None, [session])],
        env=place.env, cwd=place.work, capture_output=True, timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout, done.stderr


def recorded(place: Place) -> str:
    [cassette] = place.cassettes()
    return render_turns(fold(refeed.events(cassette)))


@pytest.mark.parametrize("turn", TURNS)
def test_the_host_is_told_the_same_and_the_turn_is_recorded(place: Place, turn: str) -> None:
    session = SESSION if turn == "resume" else None
    direct = hosted(place, place.real, turn, session)
    seen = (place.folder / "seen").read_text()
    place.install(dialect=None, profile="fixture")
    assert hosted(place, place.tap, turn, session) == direct
    assert (place.folder / "seen").read_text() == seen
    last = json.loads(direct[0].splitlines()[-1])
    assert last[0] == "ResultMessage"
    assert recorded(place) == TURNS[turn]


def test_strict_keeps_the_turn_and_no_word(place: Place) -> None:
    place.install(dialect=None)
    hosted(place, place.tap, "tools")
    assert [row.split()[0] for row in recorded(place).splitlines()] == [
        row.split()[0] for row in TURNS["tools"].splitlines()
    ]
    [cassette] = place.cassettes()
    assert b"look first" not in cassette.path.read_bytes()


REAL = os.environ.get("TURNREEL_CLAUDE", "")
READ = Call("toolu_read01", "Read", {"file_path": "notes.txt"})
LIST = Call("toolu_list01", "Bash", {"command": "ls"})
WRITE = Call("toolu_write01", "Write", {"file_path": "new.txt", "content": "x\n"})
WELL = Answer((Say("All is **well**."),))
ANSWERS: dict[str, tuple[Answer, ...]] = {
    "tools": (
        Answer((Say("I'll look first."), READ), "tool_use"),
        Answer((Say("And around it."), LIST), "tool_use"),
        WELL,
    ),
    "allow": (Answer((WRITE,), "tool_use"), WELL),
    "deny": (Answer((WRITE,), "tool_use"), WELL),
    "interrupt": (Answer((Say("All is w"),)),),
    "resume": (WELL,),
}
REAL_TURNS = {
    **TURNS,
    "allow": TURNS["allow"].replace("Bash command", "Write file_change"),
    "deny": TURNS["deny"].replace("Bash command", "Write file_change"),
}
VOLATILE = re.compile(
    r'[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|"[a-z_]*(_ms|At|_at)": [0-9.]+'
    r'|"timestamp": "[^"]*"|"(total_cost_usd|costUSD)": [0-9.e-]+|"pid": [0-9]+'
    r'|/[^" ]*\.sock|req_[a-z0-9_]+'
)


SSE = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n"
    b"transfer-encoding: chunked\r\n\r\n"
)
NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


def answering(answers: tuple[Answer, ...], stalls: bool) -> Any:
    """A provider that gives these answers to the requests for messages, in turn."""
    left = list(replies(answers))

    async def script(
        head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        length = re.search(rb"(?i)content-length: (\d+)", head)
        body = json.loads(await reader.readexactly(int(length[1]))) if length else {}
        if not head.startswith(b"POST /v1/messages?") or not body.get("stream"):
            await send(writer, NOT_FOUND)
            return
        events = [
            f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
            for event in left.pop(0).events
        ]
        if stalls:
            events = events[:-3]
        await send(writer, SSE, *chunked(*events))
        if stalls:
            await reader.read()
        else:
            await send(writer, b"0\r\n\r\n")

    return script


def essence(told: bytes) -> list[str]:
    """What a host was told, without what differs between any two runs of the real agent."""
    rows = [VOLATILE.sub("~", row) for row in told.decode().splitlines()]
    return sorted(row for row in rows if not row.startswith('["SystemMessage"'))


if REAL:

    @pytest.mark.parametrize("turn", ANSWERS)
    def test_the_real_agent(place: Place, turn: str) -> None:
        real = Path(REAL)
        for name in ("DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER",
                     "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"):  # fmt: skip
            place.env[name] = "1"
        place.env["ANTHROPIC_API_KEY"] = "dummy-key-for-a-scripted-provider"
        home, kept = place.folder / "home", place.folder / "kept"
        place.env["HOME"] = str(home)
        kept.mkdir()
        session = None
        if turn == "resume":
            home.mkdir()
            with served(answering((WELL,), stalls=False)) as url:
                place.env["ANTHROPIC_BASE_URL"] = url
                before = hosted(place, real, turn)[0].splitlines()[-1]
                session = json.loads(before)[1]["session_id"]
            shutil.copytree(home, kept, dirs_exist_ok=True)
        told = []
        for tapped in (False, True):
            shutil.rmtree(home, ignore_errors=True)
            shutil.copytree(kept, home)  # both begin with the same past
            place.work.joinpath("new.txt").unlink(missing_ok=True)
            with served(answering(ANSWERS[turn], turn == "interrupt")) as url:
                place.env["ANTHROPIC_BASE_URL"] = url
                wanted = Tap(
                    name="claude", folder=str(place.recordings), agent=str(real),
                    provider_url=url, profile="fixture",
                )  # fmt: skip
                program = install(wanted, place.tap.parent) if tapped else real
                told.append(essence(hosted(place, program, turn, session)[0]))
        assert told[1] == told[0]
        assert recorded(place) == REAL_TURNS[turn]
        [cassette] = place.cassettes()
        assert {track.id for track in cassette.header.tracks} == {
            "agent",
            "provider",
            "host",
            "transcript",
        }
