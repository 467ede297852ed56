"""``turnreel demo``: the whole product in one command, on loopback, without a key."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from .output import counted, table

SESSION: Final = "session.cassette.jsonl"
STEP_SECONDS: Final = 50
COLUMNS: Final = ("scene", "outcome", "health", "answer", "cassette")


@dataclass(frozen=True)
class Scene:
    """One recording. `faults` are what the replayed provider does; `expected` is the outcome and
    health that must come out. `cancel` sends SIGINT as soon as the agent has printed it.
    """

    name: str
    file: str
    expected: tuple[str, str]
    faults: tuple[str, ...] = ()
    cancel: str | None = None


RECORDED: Final = Scene("recorded", SESSION, ("completed", "healthy"))
REPLAYS: Final = (
    Scene(
        "replayed: retry",
        "retry.cassette.jsonl",
        ("completed", "recovered"),
        ("status:429,retry-after=1",),
    ),
    Scene(
        "replayed: disconnect",
        "disconnect.cassette.jsonl",
        ("completed", "recovered"),
        ("cut:reset@exchange=2,event=6",),
    ),
    Scene(
        "replayed: cancelled",
        "cancelled.cassette.jsonl",
        ("interrupted", "healthy"),
        ("hang@exchange=1,event=11",),  # in a text: or the turn might be over before the signal
        cancel='"text_delta"',
    ),
)
CLAUDE: Final = Scene("recorded: claude", "claude.cassette.jsonl", ("completed", "healthy"))


class DemoFailed(Exception):
    """A step of the demo did not do what it must."""


@click.command(
    "demo",
    epilog="\b\nExamples:\n  turnreel demo\n  turnreel demo --to demo/",
)
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the cassettes go; a new temporary folder unless said.",
)
def command(folder: Path | None) -> int:
    """Record, replay, translate and verify a scripted session.

    No key, nothing but loopback. A scripted provider is recorded through the real proxy while a
    scripted agent talks to it (and the real claude, if it is on the PATH); the cassette is served
    again with a retry, a disconnect and a cancellation; every turn is translated and verified.
    """
    if folder is None:
        folder = Path(tempfile.mkdtemp(prefix="turnreel-demo-"))
    folder.mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()  # the agents are started in it
    try:
        scenes = list(_record(folder))
        wrong = _table(folder, scenes)
        wrong += _verify(folder)
    except DemoFailed as failure:
        click.echo(f"turnreel: demo: {failure}", err=True)
        return 1
    for line in wrong:
        click.echo(f"turnreel: demo: {line}", err=True)
    return 1 if wrong else 0


def _record(folder: Path) -> Iterator[Scene]:
    """Record every scene into `folder`."""
    from .demo_provider import PROMPT, REPORT, provider, story

    report = folder / "report.csv"
    report.write_text(REPORT, encoding="utf-8")
    agent = [sys.executable, "-m", "turnreel.cli.demo_agent", PROMPT]
    with provider(story(report.resolve())) as url:
        _record_scene(RECORDED, folder, url, agent)
        yield RECORDED
        claude = shutil.which("claude")
        if claude is None:
            click.echo("claude is not on the PATH: its recording is left out")
        else:
            _record_claude(claude, folder, url)
            yield CLAUDE
    for scene in REPLAYS:
        with _served(folder / SESSION, scene.faults) as url:
            _record_scene(scene, folder, url, agent)
        yield scene


def _record_scene(
    scene: Scene,
    folder: Path,
    url: str,
    agent: Sequence[str],
    env: Mapping[str, str] | None = None,
) -> None:
    """Run ``turnreel record`` on the agent; send SIGINT where the scene says."""
    target = folder / scene.file
    argv = _turnreel(
        "record",
        "--to",
        str(target),
        "--force",
        "--profile",
        "fixture",
        "--provider-url",
        url,
        "--dialect",
        "claude-stream-json",
        "--",
        *agent,
    )
    with subprocess.Popen(
        argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        cwd=folder, env=env,
    ) as child:  # fmt: skip
        assert child.stdout is not None
        watchdog = threading.Timer(STEP_SECONDS, child.kill)
        watchdog.start()
        for line in child.stdout:
            if scene.cancel is not None and scene.cancel in line:
                child.send_signal(signal.SIGINT)
                break
        _, err = child.communicate()
        watchdog.cancel()
    if child.returncode or not target.exists():
        said = err.strip().splitlines() or ["nothing"]
        raise DemoFailed(f"{scene.name}: record ended with {child.returncode}: {said[-1]}")


def _record_claude(claude: str, folder: Path, url: str) -> None:
    """The real program: an empty environment, a fresh home, a dummy key, nothing but loopback."""
    from .demo_provider import PROMPT

    agent = [claude, "-p", "--output-format", "stream-json", "--verbose",
             "--include-partial-messages", "--", PROMPT]  # fmt: skip
    env = {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "ANTHROPIC_API_KEY": "sk-ant-dummy",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_TELEMETRY": "1",
    }
    with tempfile.TemporaryDirectory(prefix="turnreel-home-") as home:
        _record_scene(CLAUDE, folder, url, agent, {**env, "HOME": home})


@contextmanager
def _served(cassette: Path, faults: Sequence[str]) -> Iterator[str]:
    """``turnreel serve`` while inside; the value is its base URL. A fault must have fired."""
    options = [word for fault in faults for word in ("--fault", fault)]
    with subprocess.Popen(
        _turnreel("serve", str(cassette), "--pacing", "max", *options),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as server:  # fmt: skip
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        try:
            yield url
        finally:
            server.send_signal(signal.SIGINT)
            _, err = server.communicate(timeout=STEP_SECONDS)
    if server.returncode:
        raise DemoFailed(f"serve: {(err.strip().splitlines() or ['no reason given'])[-1]}")


def _turnreel(*words: str) -> list[str]:
    return [sys.executable, "-m", "turnreel", *words]


def _table(folder: Path, scenes: Sequence[Scene]) -> list[str]:
    """Translate every cassette and print how its turn ended; what did not come out as it must."""
    from turnreel.cassettes.reader import open_cassette
    from turnreel.cassettes.turnfile import render_turns
    from turnreel.lifecycle.fold import fold
    from turnreel.replayer import refeed

    from .status import shortened

    rows, wrong = [], []
    for scene in scenes:
        cassette = folder / scene.file
        runs = fold(refeed.events(open_cassette(cassette)))
        golden = cassette.with_name(f"{cassette.name.removesuffix('.cassette.jsonl')}.turn")
        golden.write_text(render_turns(runs), encoding="utf-8")
        if len(runs) != 1 or runs[0].terminal is None:
            wrong.append(f"{scene.name}: {len(runs)} runs, not one that ended")
            continue
        terminal = runs[0].terminal
        came = (terminal.outcome, terminal.health)
        rows.append((scene.name, *came, shortened(terminal.text), scene.file))
        if came != scene.expected:
            wrong.append(f"{scene.name}: {' '.join(came)}, expected {' '.join(scene.expected)}")
    table(COLUMNS, rows)
    return wrong


def _verify(folder: Path) -> list[str]:
    """Verify every cassette, sweeps included; what does not hold."""
    from turnreel.conformance.reports import explain
    from turnreel.conformance.verify import verify

    report = verify([folder])
    cases = sum(sum(result.cases.values()) for result in report.results)
    verified = counted(len(report.results), "cassette")
    click.echo(f"\nverified {verified}: cut, cancelled, doubled and re-chunked, {cases} cases")
    click.echo(f"everything is in {folder}")
    return [
        f"{Path(result.path).name}: {next(iter(explain(finding)))}"
        for result in report.results
        for finding in result.findings
    ]
