"""A shim in an agent's place, for hosts that start the agent themselves and speak JSON-RPC."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Turnreel
from turnreel.adapters import registry
from turnreel.adapters.base import Edge, Frame
from turnreel.adapters.translator import Translator
from turnreel.lifecycle.fold import ActivityEntry, GateEntry, fold
from turnreel.lifecycle.signals import Exited, Unreconciled
from turnreel.wire.units import JsonUnit, LineFraming

LIBRARY = Path(__file__).parents[2] / "cassettes" / "library"
ACCEPTED = LIBRARY / "codex-app-server" / "0.171.0" / "cmd-accept.cassette.jsonl"


class Host:
    """Starts ``codex app-server`` from PATH and drives a turn, under ids of its own."""

    def __init__(self, folder: Path) -> None:
        env = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
        self.process = subprocess.Popen(
            ["codex", "app-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env
        )
        self.frames: list[tuple[str, dict[str, Any]]] = []

    def says(self, line: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.frames.append(("in", line))
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()

    def hears(self, **wanted: Any) -> dict[str, Any]:
        """The next frame with these fields, after whatever comes before it."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            frame: dict[str, Any] = json.loads(line)
            self.frames.append(("out", frame))
            if all(frame.get(name) == value for name, value in wanted.items()):
                return frame
        raise AssertionError(f"the agent never said {wanted}")

    def asks(self, number: int | str, method: str, **params: Any) -> dict[str, Any]:
        self.says({"id": number, "method": method, "params": params})
        return self.hears(id=number)


def test_a_host_of_codex_asks_under_ids_of_its_own(turnreel: Turnreel, tmp_path: Path) -> None:
    installed = turnreel("shim", "--install", "shims", "--pacing", "max", ACCEPTED)
    assert (installed.status, installed.out) == (0, f"{tmp_path / 'shims' / 'codex'}\n")
    host = Host(tmp_path / "shims")
    host.asks("first", "initialize", clientInfo={"name": "host", "version": "1"})
    host.says({"method": "initialized"})
    thread = host.asks(100, "thread/start")["result"]["thread"]["id"]
    host.asks(101, "turn/start", threadId=thread, input=[{"type": "text", "text": "Go on."}])
    asked = host.hears(method="item/commandExecution/requestApproval")
    host.says({"id": asked["id"], "result": {"decision": "accept"}})
    host.hears(method="turn/completed")
    assert host.process.stdin is not None and host.process.stdout is not None
    host.process.stdin.close()
    host.process.stdout.read()
    host.process.stdout.close()
    host.process.wait(30)

    translator = Translator(
        {"agent": registry.adapter("codex-app-server")}, session="s", agent="codex"
    )
    events = []
    for number, (code, line) in enumerate(host.frames):
        frame = Frame("agent", code, number, 0, JsonUnit(line, LineFraming()))  # type: ignore[arg-type]
        events += translator.feed(frame)
    number = len(host.frames)
    events += translator.feed(Edge("agent", number, 0, Exited(code=0)))
    events += translator.feed(Edge("host", number + 1, 0, Unreconciled()))
    (view,) = fold(events)
    assert view.terminal is not None and view.terminal.text == "All done."
    gates = [one.resolution for one in view.entries if isinstance(one, GateEntry)]
    states = [one.state for one in view.entries if isinstance(one, ActivityEntry)]
    assert (gates, states) == (["approved"], ["ok"])


def test_an_installed_shim_has_its_plan_and_its_name(turnreel: Turnreel, tmp_path: Path) -> None:
    words = ("shim", "--install", "shims", "--as", "my-agent", "--fault", "exit:7@event=1")
    path = Path(turnreel(*words, "--pacing", "max", ACCEPTED).out.strip())
    assert path.name == "my-agent"
    line = json.dumps({"id": 1, "method": "initialize", "params": {}}).encode() + b"\n"
    done = subprocess.run([path], input=line, capture_output=True, timeout=60, check=False)
    assert done.returncode == 7
    assert subprocess.run(
        [path, "--version"], capture_output=True, timeout=60, check=True
    ).stdout.startswith(b"codex-cli 0.171.0")
    again = turnreel("shim", "--install", "shims", "--as", "my-agent", ACCEPTED)
    assert again.status == 0


@pytest.mark.parametrize("name", ["codex", "claude"])
def test_what_is_no_shim_is_left_alone(turnreel: Turnreel, tmp_path: Path, name: str) -> None:
    other = tmp_path / "shims" / name
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n")
    answer = turnreel("shim", "--install", "shims", "--as", name, ACCEPTED)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "is no shim" in answer.err
    assert other.read_text() == "#!/bin/sh\n"
