"""Recording from a test: the real provider or agent, once, and never where CI is set.

Recording is done by turnreel's own commands in processes of their own, as a person would do it: the
proxy's library keeps global state, which does not belong into anybody's tests.
"""

from __future__ import annotations

import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, cast

import pytest

from turnreel.conformance import goldens
from turnreel.conformance.discovery import ENDINGS
from turnreel.conformance.errors import AcceptRefused
from turnreel.conformance.project import setting

from .plainly import plainly, refuse
from .programs import TURNREEL, script
from .recorded import Recorded

SEALED_SECONDS: Final = 60
"""How long sealing may take once a recording was told to end."""

_PIPE: Final = subprocess.PIPE

Mode = Literal["none", "once", "all"]


def mode_of(config: pytest.Config) -> Mode:
    """What may be recorded: nothing where CI is set, whatever was asked."""
    try:
        goldens.refuse_in_ci()
    except AcceptRefused:
        return "none"
    return cast("Mode", config.getoption("turnreel_record"))


def is_wanted(config: pytest.Config, path: Path | None) -> bool:
    """Whether a recording that stands at `path`, or nowhere, is to be made now. Fails a test that
    is one of several at once: two of them could record the same.
    """
    mode = mode_of(config)
    if mode == "none" or (mode == "once" and path is not None):
        return False
    if hasattr(config, "workerinput"):
        refuse("recording needs one process: run pytest without -n for it")
    return True


class Proxied:
    """The real provider behind a recording proxy at `url`."""

    def __init__(self, url: str) -> None:
        self.url = url

    @property
    def explanation(self) -> tuple[str, ...]:
        """What there is to say of it."""
        return ("recording: what the real provider answered will be in the cassette",)


@contextmanager
def proxied(request: pytest.FixtureRequest, cassette: Recorded) -> Iterator[Proxied]:
    """Relay to the marker's provider while inside; what was said is the cassette then."""
    _require_one(request)
    provider = cassette.marked.provider
    if provider is None:
        refuse("recording needs the real provider: add provider='https://…' to the marker")
    with tempfile.TemporaryDirectory(prefix="turnreel-") as folder:
        words = [*TURNREEL, "proxy", "--upstream", provider, "--to", folder]
        words += _options(request, cassette)
        with subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=_PIPE, stderr=_PIPE, text=True
        ) as proxy:
            assert proxy.stdout is not None
            if url := proxy.stdout.readline().strip():
                try:
                    yield Proxied(url)
                finally:
                    proxy.send_signal(signal.SIGTERM)
            _, said = proxy.communicate(timeout=SEALED_SECONDS)
        made = sorted(Path(folder).glob(f"*{ENDINGS[0]}"))
        if proxy.returncode or not made:
            refuse(_last(said, "the proxy ended and recorded nothing"))
        cassette.path.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(made[0], cassette.path)


@contextmanager
def beside(request: pytest.FixtureRequest, cassette: Recorded, folder: Path) -> Iterator[Path]:
    """The marker's agent as a program that is recorded while inside. Each session replaces the one
    before; the turn of the last one is written as the right one, for a person to read.
    """
    _require_one(request)
    marked = cassette.marked
    if marked.agent is None:
        refuse("recording needs the real agent: add agent='claude' to the marker")
    named = [marked.agent] if isinstance(marked.agent, str) else list(marked.agent)
    found = shutil.which(named[0])  # now: a test may put the program below first on the PATH
    if found is None:
        refuse(f"recording needs the real agent: {named[0]} is not on the PATH")
    real = [str(Path(found).absolute()), *named[1:]]
    words = [*TURNREEL, "record", "--force", "--to", str(cassette.path.absolute())]
    words += [*_options(request, cassette), *_option("--provider-url", marked.provider)]
    cassette.path.parent.mkdir(parents=True, exist_ok=True)
    before = _stamp(cassette.path)
    yield script(
        folder,
        Path(named[0]).name,
        [
            f'case "$*" in -v|--version) exec {shlex.join(real)} "$@";; esac',
            f'exec {shlex.join([*words, "--", *real])} "$@"',
        ],
    )
    if _stamp(cassette.path) in (None, before):
        refuse(f"{cassette.path} was not recorded: the test did not run its agent to the end")
    goldens.write(cassette.path, cassette.events)


def _require_one(request: pytest.FixtureRequest) -> None:
    """One recording comes of one side; the agent's holds its provider as well."""
    if {"agent_shim", "replay_server"} <= set(request.fixturenames):
        refuse("a test records its agent or its provider: take one of agent_shim, replay_server")


def _options(request: pytest.FixtureRequest, cassette: Recorded) -> list[str]:
    """What every command that records is told: the project's policy by its whole path, as a host
    may start its agent anywhere.
    """
    profile = "fixture" if cassette.marked.keep_text else "strict"
    root = request.config.rootpath
    with plainly():
        policy = setting(root, "policy")
    return [
        *("--profile", profile),
        *_option("--dialect", cassette.marked.dialect),
        *_option("--policy", str(root / policy) if isinstance(policy, str) else None),
    ]


def _option(name: str, said: str | None) -> list[str]:
    return [] if said is None else [name, said]


def _stamp(path: Path) -> tuple[int, int] | None:
    """Tells one file at `path` from the next."""
    try:
        known = path.stat()
    except FileNotFoundError:
        return None
    return known.st_ino, known.st_mtime_ns


def _last(said: str, otherwise: str) -> str:
    lines = [line for line in said.splitlines() if line.strip()]
    return lines[-1].removeprefix("turnreel: ") if lines else otherwise
