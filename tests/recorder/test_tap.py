"""The tap as hosts meet it: in the agent's place, and not to be told from it."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from turnreel.cassettes import Cassette, CassetteError, open_cassette
from turnreel.recorder import RecorderError
from turnreel.recorder.tap import Tap, install, is_tap, script

DIALECT = "claude-stream-json"
PROBE = """
import json, os, sys
fds = sorted(int(name) for name in os.listdir("/proc/self/fd"))
held = [fd for fd in fds if fd > 2 and os.path.exists(f"/proc/self/fd/{fd}")]
print(json.dumps({
    "argv": sys.argv[1:],
    "env": {k.decode("latin-1"): v.decode("latin-1") for k, v in os.environb.items()},
    "cwd": os.getcwd(), "held": [os.readlink(f"/proc/self/fd/{fd}") for fd in held],
    "group": os.getpgrp() == os.getpgid(os.getppid()),
}))
"""


class Place:
    """A folder with a real agent and a tap before it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.real = folder / "bin" / "claude"
        self.real.parent.mkdir()
        self.work = folder / "work"
        self.work.mkdir()
        (self.work / "notes.txt").write_text("42\n")
        self.recordings = folder / "recordings"
        self.tap = folder / "taps" / "claude"
        self.env: dict[str, str] = {"PATH": f"{self.tap.parent}:{self.real.parent}:/usr/bin:/bin"}

    def agent(self, body: str, program: str = sys.executable) -> None:
        """What the real agent does."""
        write_program(self.real, body, program)

    def install(self, **changes: Any) -> Path:
        fields = {"name": "claude", "folder": str(self.recordings), "dialect": DIALECT}
        return install(Tap(**{**fields, **changes}), self.tap.parent)

    def run(
        self, *words: str, program: Path | None = None, **options: Any
    ) -> subprocess.CompletedProcess[bytes]:
        settings: dict[str, Any] = {
            "env": self.env, "cwd": self.work, "capture_output": True, "timeout": 60,
            "stdin": None if "input" in options else subprocess.DEVNULL,
        }  # fmt: skip
        return subprocess.run([program or self.tap, *words], **{**settings, **options})

    def cassettes(self, count: int = 1) -> list[Cassette]:
        """The sealed cassettes, once there are so many: sealing goes on when the tap has left."""
        until = time.monotonic() + 30
        while time.monotonic() < until:
            sealed = []
            for path in sorted(self.recordings.glob("*.cassette.jsonl")):
                with contextlib.suppress(CassetteError):
                    if open_cassette(path).seal is not None:
                        sealed.append(open_cassette(path))
            if len(sealed) == count:
                return sealed
            time.sleep(0.02)
        raise AssertionError(
            f"{count} sealed cassettes expected: {list(self.recordings.iterdir())}"
        )


def write_program(path: Path, body: str, program: str = sys.executable) -> None:
    path.write_text(f"#!{program}\n{body}")
    path.chmod(0o755)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def codes(cassette: Cassette) -> list[str]:
    return [record.code for record in cassette]


def test_what_the_agent_gets_is_what_the_host_gave(place: Place) -> None:
    """Arguments, environment (also without a locale), folder, inherited descriptors, group."""
    place.agent(PROBE)
    place.install()
    place.env |= {"ODD": "a=b\nc", "EMPTY": ""}
    env = {os.fsencode(k): os.fsencode(v) for k, v in place.env.items()} | {b"RAW": b"\xff\xfe"}
    read, write = os.pipe()
    words = ("-p", "two words", "", "--output-format", "stream-json", "ümlaut")
    answers = [
        place.run(*words, program=program, env=env, pass_fds=[write])
        for program in (place.real, place.tap)
    ]
    os.close(read)
    os.close(write)
    direct, tapped = (json.loads(answer.stdout) for answer in answers)
    assert direct["argv"] == list(words)
    assert tapped == direct
    assert tapped["env"].keys() - {"LC_CTYPE"} == {*place.env, "RAW"}  # the agent is Python as well
    assert len(tapped["held"]) == len(direct["held"])
    [cassette] = place.cassettes()
    assert cassette.header.agent.name == "claude"
    assert cassette.header.profile == "strict"
    assert place.recordings.joinpath(cassette.path).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("exit 0", 0),
        ("exit 7", 7),
        ("kill -TERM $$", -signal.SIGTERM),
        ("kill -KILL $$", -signal.SIGKILL),
        ("exec <&-; exec >&-; exit 4", 4),
        ("(sleep 3; echo late) & echo out; exit 5", 5),
        ("cat; exit 6", 6),
        ("head -c 3; exit 2", 2),
        ("echo to stderr >&2; exit 9", 9),
    ],
)
def test_it_ends_as_the_agent_ends(place: Place, body: str, status: int) -> None:
    place.agent(body, "/bin/sh")
    place.install()
    answers = [
        place.run(program=program, input=b"some input\n") for program in (place.real, place.tap)
    ]
    direct, tapped = answers
    assert direct.returncode == tapped.returncode == status
    assert tapped.stderr == direct.stderr
    assert tapped.stdout in (direct.stdout, direct.stdout.removesuffix(b"late\n"))
    assert codes(place.cassettes()[0])[-2:] == ["exit", "unreconciled"]


def test_long_lines_both_ways_under_back_pressure(place: Place) -> None:
    place.agent("import sys\nfor line in sys.stdin: sys.stdout.write(line)\n")
    place.install()
    line = json.dumps({"type": "user", "x": "é" * 100_000}, ensure_ascii=False).encode() + b"\n"
    sent = line * 40
    done = place.run(input=sent)
    assert done.stdout == sent
    [cassette] = place.cassettes()
    assert codes(cassette).count("in") == codes(cassette).count("out") == 40


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_standard_stream_that_is_closed(place: Place, closed: str) -> None:
    place.agent("cat; echo said; echo told >&2; exit 3", "/bin/sh")
    place.install()
    direct, tapped = (
        subprocess.run(
            ["/bin/sh", "-c", f'"$0" {closed}', str(program)],
            env=place.env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
        )
        for program in (place.real, place.tap)
    )  # fmt: skip
    assert tapped.returncode == direct.returncode == 3
    assert b"said" in tapped.stdout or closed == ">&-"
    assert place.cassettes()


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGQUIT"])
def test_signals_reach_the_agent(place: Place, name: str) -> None:
    place.agent(
        "import signal, sys\n"
        f"signal.signal(signal.{name}, lambda *_: sys.exit(42))\n"
        "print('up', flush=True)\n"
        "while True: signal.pause()\n"
    )
    place.install()
    with subprocess.Popen([place.tap], env=place.env, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        process.send_signal(signal.Signals[name])
        assert process.wait(30) == 42
    [cassette] = place.cassettes()
    assert [r.data for r in cassette if r.code == "signal"] == [{"name": name}]


@pytest.mark.skipif(
    not sys.platform.startswith("linux"),
    reason="only Linux tells a child that its parent was killed",
)
def test_a_kill_of_the_tap_kills_the_agent(place: Place) -> None:
    place.agent("import os, signal\nprint(os.getpid(), flush=True)\nsignal.pause()\n")
    place.install()
    with subprocess.Popen([place.tap], env=place.env, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        agent = int(process.stdout.readline())
        process.kill()
        process.wait(30)
        assert process.stdout.read() == b""  # nobody holds it any more
    with pytest.raises(ProcessLookupError):
        while True:
            os.kill(agent, 0)
            time.sleep(0.01)
    [path] = place.recordings.iterdir()
    until = time.monotonic() + 30
    while path.stat().st_size == 0 and time.monotonic() < until:
        time.sleep(0.02)
    assert open_cassette(path).seal is None, "a killed recording is one that was cut"


def test_the_agent_is_the_next_on_the_path_that_is_no_tap(place: Place, tmp_path: Path) -> None:
    place.agent("echo real", "/bin/sh")
    place.install()
    other = install(Tap(name="claude", folder=str(tmp_path / "o"), dialect=DIALECT), tmp_path / "2")
    (tmp_path / "link").symlink_to(place.tap.parent)
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "claude").write_text("not to be executed")
    before = [tmp_path / "nothing", tmp_path / "link", other.parent, tmp_path / "plain"]
    place.env["PATH"] = ":".join([*map(str, before), place.env["PATH"]])
    assert place.run().stdout == b"real\n"
    assert place.run(program=other).stdout == b"real\n"
    assert subprocess.run(["claude"], env=place.env, capture_output=True).stdout == b"real\n"


@pytest.mark.parametrize("way", ['exec claude "$@"', 'claude "$@"; exit $?'])
def test_a_launcher_that_finds_the_tap_again_is_passed_by(place: Place, way: str) -> None:
    place.agent('echo "real $*"; exit 8', "/bin/sh")
    launcher = place.folder / "shims" / "claude"
    launcher.parent.mkdir()
    write_program(launcher, way, "/bin/sh")
    place.env["PATH"] = place.env["PATH"].replace(":", f":{launcher.parent}:", 1)
    place.install()
    done = place.run("x")
    assert (done.returncode, done.stdout) == (8, b"real x\n"), done.stderr


def test_without_an_agent_it_says_so_as_a_shell_would(place: Place) -> None:
    place.install()
    done = place.run()
    assert done.returncode == 127
    assert done.stderr.decode() == (
        f"turnreel: no claude behind the tap {place.tap} "
        "(put the agent on PATH, or install the tap with --agent PATH)\n"
    )


def test_a_recording_that_cannot_begin_leaves_the_agent_alone(place: Place) -> None:
    place.agent("cat; exit 3", "/bin/sh")
    place.install()
    place.recordings.rmdir()
    place.recordings.write_text("in the way")
    done = place.run(input=b"all the same")
    assert (done.returncode, done.stdout) == (3, b"all the same")
    [line] = done.stderr.decode().splitlines()
    assert line.startswith(f"turnreel: {place.recordings}/claude-")


def test_at_once_and_nested_every_invocation_has_a_cassette(place: Place) -> None:
    place.agent('[ -z "$1" ] && claude deeper; echo said; exit 0', "/bin/sh")
    place.install()
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda _: place.run(), range(6)))
    assert {one.returncode for one in done} == {0}
    assert {one.stdout for one in done} == {b"said\nsaid\n"}
    cassettes = place.cassettes(12)
    assert len({cassette.header.id for cassette in cassettes}) == 12


def test_at_a_terminal_the_agent_has_the_terminal(place: Place) -> None:
    place.agent("import os\nprint([os.isatty(fd) for fd in range(3)])\n")
    place.install()
    ours, theirs = pty.openpty()
    process = subprocess.Popen([place.tap], env=place.env, stdin=theirs, stdout=theirs)
    os.close(theirs)
    assert b"[True, True," in os.read(ours, 1 << 12)
    assert process.wait(30) == 0
    os.close(ours)
    assert list(place.recordings.iterdir()) == []


def test_a_host_that_says_things_to_its_own_python(place: Place) -> None:
    """Neither what the host says to Python nor a module in its folder reaches the tap."""
    place.agent('echo "$PYTHONPATH $PYTHONHOME"', "/bin/sh")
    place.install()
    for name in ("json", "turnreel", "msgspec"):
        (place.work / f"{name}.py").write_text("raise SystemExit('a trap')")
    place.env |= {"PYTHONPATH": str(place.work), "PYTHONHOME": "/nowhere"}
    done = place.run()
    assert (done.stdout.decode(), done.stderr) == (f"{place.work} /nowhere\n", b"")
    assert place.cassettes()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"agent": "/nowhere/claude"}, "no program is there"),
        ({"name": "my-agent", "dialect": None}, "cannot tell what my-agent speaks"),
        ({"dialect": "klingon"}, "there is no adapter for klingon yet"),
    ],
)
def test_mistakes_are_told_when_it_is_installed(
    place: Place, changes: Mapping[str, Any], message: str
) -> None:
    with pytest.raises(RecorderError, match=message):
        place.install(**changes)
    assert not place.tap.parent.exists()


def test_it_takes_the_place_of_a_tap_and_of_nothing_else(place: Place) -> None:
    place.agent("exit 0", "/bin/sh")
    first = place.install()
    assert first == place.tap and is_tap(first)
    with pytest.raises(RecorderError, match="is a tap itself"):
        place.install(agent=str(first))
    place.install(profile="fixture")
    assert '"profile":"fixture"' in first.read_text()
    assert not is_tap(place.real) and not is_tap(place.folder)
    with pytest.raises(RecorderError, match="exists already, and is no tap"):
        install(Tap(name="claude", folder="x", dialect=DIALECT), place.real.parent)
    assert sorted(path.name for path in place.tap.parent.iterdir()) == ["claude"]


def test_an_interpreter_that_no_first_line_can_hold(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.agent("echo real; exit 6", "/bin/sh")
    odd = place.folder / "a folder with spaces" / "python"
    odd.parent.mkdir()
    write_program(odd, f'exec {sys.executable} "$@"', "/bin/sh")
    monkeypatch.setattr(sys, "executable", str(odd))
    place.install()
    assert script(Tap(name="claude", folder="x")).startswith("#!/bin/sh\n")
    done = place.run()
    assert (done.returncode, done.stdout) == (6, b"real\n"), done.stderr
