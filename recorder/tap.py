"""The tap: an executable that stands in the agent's place, for hosts that start the agent
themselves.

It is named like the agent and found before it on PATH, or given to an SDK as the agent's program.
Each invocation finds the real agent behind itself, runs it, and records its streams into a cassette
of its own; the host must not be able to tell. What it does is written into the executable, so that
nothing in the environment has to say it.
"""

from __future__ import annotations

import os
import secrets
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NoReturn

import msgspec

from turnreel.adapters.standin import executable
from turnreel.lifecycle.terms import PLAIN, Terms
from turnreel.sanitizers import Profile
from turnreel.wire.errors import TurnreelError

from .agents import understand
from .errors import RecorderError
from .exits import leave
from .project_policy import ProjectPolicy
from .record import Provider, Wanted, record_and_leave
from .spawning import given_environment

MARK: Final = b"# A turnreel tap."
"""Stands in the head of every tap: one never takes another for the agent."""

_HEAD_BYTES: Final = 1024
_NESTED_LIMIT: Final = 16
_PROGRAM_WORDS: Final = 4
"""How far into its command line a script's name may stand, behind interpreter and options."""

NOT_FOUND: Final = 127
CANNOT_RUN: Final = 126


class Tap(msgspec.Struct, frozen=True, kw_only=True):
    """What a tap does: records into `folder` what the agent called `name` says. `agent` is its
    program where PATH is not to be asked, `provider_url` where its provider is, if that is to be
    recorded as well, `terms` what the host declares.
    """

    name: str
    folder: str
    agent: str | None = None
    dialect: str | None = None
    provider_url: str | None = None
    profile: Profile = "strict"
    policy: ProjectPolicy = ProjectPolicy()
    terms: Terms = PLAIN


def install(tap: Tap, where: Path) -> Path:
    """Put the executable for `tap` into the folder `where`, in the place of an older one.

    Returns its path. Raises `RecorderError`: nobody knows what the agent speaks, its program is not
    there or a tap itself, or something else has the name.
    """
    understand([tap.name], tap.dialect)
    agent = None if tap.agent is None else Path(tap.agent)
    if agent is not None and not _is_program(agent):
        raise RecorderError(f"{agent}: no program is there", "name the agent's executable")
    if agent is not None and is_tap(agent):
        raise RecorderError(f"{agent}: is a tap itself", "name the real agent's executable")
    path = where / tap.name
    if path.exists() and not is_tap(path):
        raise RecorderError(
            f"{path}: exists already, and is no tap", "choose another folder for taps"
        )
    try:
        where.mkdir(parents=True, exist_ok=True)
        Path(tap.folder).mkdir(parents=True, exist_ok=True)
        beside = where / f".{tap.name}-{secrets.token_hex(4)}"
        beside.write_text(script(tap), encoding="utf-8")
        beside.chmod(0o755)
        beside.replace(path)
    except OSError as error:
        raise RecorderError(
            f"{error.filename}: {(error.strerror or 'cannot be written').lower()}",
            "choose folders that can be written",
        ) from None
    return path


def script(tap: Tap) -> str:
    """The executable's text: what it does is written into it."""
    said = msgspec.json.encode(tap).decode()
    mark = f"{MARK.decode()} It runs and records the agent behind it; remove it to undo."
    program = f"from turnreel.cli.tapped import be\nbe({said!r})\n"
    return executable(sys.executable, mark, program)


def run(said: str, argv: Sequence[str]) -> NoReturn:
    """What the executable does: be the agent, as `argv` calls it. Ends as the agent ended."""
    tap = msgspec.json.decode(said, type=Tap)
    environ = given_environment()
    try:
        agent = find_agent(tap, Path(argv[0]), environ)
    except RecorderError as error:
        _say(error)
        raise SystemExit(NOT_FOUND) from None
    command = [str(agent), *argv[1:]]
    at_terminal = os.isatty(0) and os.isatty(1)
    if at_terminal and tap.provider_url is None:
        _become(command, environ)  # a person's own session: nobody asked for anything of it
    target = Path(tap.folder, cassette_name(tap.name))
    wanted = Wanted(
        profile=tap.profile,
        known_as=tap.name,
        dialect=tap.dialect,
        provider=Provider(url=tap.provider_url) if tap.provider_url else None,
        policy=tap.policy,
        terms=tap.terms,
        at_terminal=at_terminal,
    )
    try:
        status = record_and_leave(command, target, wanted, environ)
    except TurnreelError as error:  # before the agent was started: it shall run all the same
        _say(error)
        _become(command, environ)
    leave(status)


def cassette_name(name: str) -> str:
    """A name that no other invocation has, sorted by time."""
    moment = time.strftime("%Y%m%d-%H%M%S")
    return f"{name}-{moment}-{os.getpid()}-{secrets.token_hex(3)}.cassette.jsonl"


def find_agent(tap: Tap, own: Path, environ: Mapping[str, str]) -> Path:
    """The real agent: the program that was named, else the first on PATH that is no tap.

    A launcher on PATH may look for its agent there again and so find us: called by ourselves, the
    next one is taken. Raises `RecorderError` if there is none, or if that does not help.
    """
    if tap.agent is not None:
        candidates = [Path(tap.agent)]
    else:
        folders = environ.get("PATH", os.defpath).split(os.pathsep)
        candidates = [Path(folder or ".") / tap.name for folder in folders]
    agents = [path for path in candidates if _is_program(path) and not is_tap(path)]
    if not agents:
        raise RecorderError(
            f"no {tap.name} behind the tap {own}",
            "put the agent on PATH, or install the tap with --agent PATH",
        )
    calls = _calls(agents)
    if calls > _NESTED_LIMIT:
        raise RecorderError(
            f"{agents[-1]} is a launcher that starts the tap again and again",
            f"name the agent itself: turnreel tap --install {own.parent} --agent PATH",
        )
    return agents[min(calls, len(agents) - 1)]


def is_tap(path: Path) -> bool:
    """Whether a file is one of our executables, whatever it is called."""
    try:
        with path.open("rb") as file:
            return MARK in file.read(_HEAD_BYTES)
    except OSError:
        return False


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _calls(agents: Sequence[Path]) -> int:
    """How many taps stand above us with nothing between but the programs they started."""
    calls = 0
    between = {str(agent) for agent in agents}
    for command in _commands_above():
        words = command[:_PROGRAM_WORDS]
        if any(is_tap(Path(word)) for word in words):
            calls += 1
        elif between.isdisjoint(words):
            break
    return calls


def _commands_above() -> Iterator[list[str]]:
    """The command lines of our ancestors, nearest first; nothing where they cannot be read."""
    process = os.getppid()
    while process > 1:
        folder = Path("/proc", str(process))
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            state = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            return
        yield [os.fsdecode(word) for word in words]
        process = int(state[1])


def _become(command: Sequence[str], environ: Mapping[str, str]) -> NoReturn:
    try:
        os.execve(command[0], list(command), dict(environ))
    except OSError as error:
        _say(RecorderError(f"cannot run {command[0]}: {error.strerror}"))
        raise SystemExit(CANNOT_RUN) from None


def _say(error: TurnreelError) -> None:
    print(f"turnreel: {error}", file=sys.stderr)
