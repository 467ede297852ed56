"""``record``: run an agent under the tee, its provider behind the proxy, into one cassette."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import shutil
import time
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from turnreel.cassettes import AgentInfo, Existing, Origin, TrackSpec
from turnreel.lifecycle.terms import PLAIN, Terms
from turnreel.sanitizers import OpinionName, Profile

from .agents import Spoken, agent_info, understand
from .doors import Door
from .errors import RecorderError
from .exits import ExitStatus
from .kept import KEPT
from .knowledge import known_secrets
from .messages import Plan, Sealed
from .project_policy import ProjectPolicy
from .proxy import Upstream, proxy
from .rotation import Rotation
from .rows import kept_rows, last_rows
from .sealer import Reviewer, Sealer
from .session import Session
from .stdio import tee
from .terminal import beside, require_terminal
from .tracks import AGENT, HOST, PROVIDER, recorded_tracks, terminal_tracks


class Recording(msgspec.Struct, frozen=True):
    """What came of it: how the command ended, and the sealed cassette or why there is none."""

    exit: ExitStatus
    sealed: Sealed | None
    failure: RecorderError | None = None


class Provider(msgspec.Struct, frozen=True, kw_only=True):
    """How the agent's provider is listened to: a proxy before `url`, or before what the agent's own
    variable for it says. The agent comes in by `door`.
    """

    url: str | None = None
    door: Door = Door()


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """How a session is to be recorded.

    `dialect` overrules what the name of the program tells, which is `known_as` where that is not
    its own. Without `provider`, the agent alone is recorded. `policy` are the project's own lines;
    `review` is asked, once the command ended, which more of them to add. With `rotation`, a long
    session becomes several cassettes. `at_terminal`, the agent has the terminal to itself, and its
    provider and what it keeps of the session are recorded in its place. `terms` are what the host
    declares, `opinions` whom the seal gate asks as well.
    """

    profile: Profile = "strict"
    known_as: str | None = None
    dialect: str | None = None
    provider: Provider | None = Provider()
    existing: Existing = Existing.REFUSE
    policy: ProjectPolicy = ProjectPolicy()
    review: Reviewer | None = None
    rotation: Rotation | None = None
    at_terminal: bool = False
    terms: Terms = PLAIN
    opinions: tuple[OpinionName, ...] = ()


def record(
    argv: Sequence[str],
    target: Path,
    wanted: Wanted | None = None,
    environ: Mapping[str, str] | None = None,
) -> Recording:
    """Run `argv` on our standard streams and record it to `target`.

    Call from the main thread of a process that has nothing else to do. The command is run whatever
    happens to the recording; its way to end is in the result. Raises `RecorderError` before the
    command was started: not found, dialect unknown, target exists, port in use, extra missing.
    """
    wanted = wanted or Wanted()
    with _session(argv, target, wanted, environ) as (sealer, run):
        return recorded(asyncio.run(run), sealer, wanted)


def record_and_leave(
    argv: Sequence[str], target: Path, wanted: Wanted, environ: Mapping[str, str]
) -> ExitStatus:
    """The same, for whoever ends as the command ended and at the same time: sealing goes on without
    us, and nobody learns whether it failed.
    """
    with _session(argv, target, wanted, environ) as (sealer, run):
        status = asyncio.run(run)
        sealer.leave()
        return status


def plan(
    target: Path,
    wanted: Wanted,
    environ: Mapping[str, str],
    agent: AgentInfo,
    tracks: tuple[TrackSpec, ...],
    doors: Sequence[Door],
    lacks: tuple[str, ...] = (),
) -> Plan:
    """The cassette that a live session becomes; clients come in by `doors`."""
    return Plan(
        target=str(target),
        replaces=wanted.existing is Existing.REPLACE,
        agent=agent,
        tracks=tracks,
        lacks=lacks,
        profile=wanted.profile,
        # Two recordings of one command are two sessions: the header has to tell them apart.
        origin=Origin(kind="recorded", name=secrets.token_hex(8)),
        known=known_secrets(environ, *(door.token for door in doors)),
        policy=wanted.policy,
        is_reviewed=wanted.review is not None,
        rotation=wanted.rotation,
        terms=wanted.terms,
        opinions=wanted.opinions,
    )


def recorded(status: ExitStatus, sealer: Sealer, wanted: Wanted) -> Recording:
    """What came of a session that is over: it is sealed, or else why it is not."""
    try:
        return Recording(status, sealer.finish(wanted.review))
    except RecorderError as failure:
        return Recording(status, None, failure)


@contextlib.contextmanager
def _session(
    argv: Sequence[str], target: Path, wanted: Wanted, environ: Mapping[str, str] | None
) -> Iterator[tuple[Sealer, Coroutine[None, None, ExitStatus]]]:
    environ = dict(os.environ if environ is None else environ)
    if shutil.which(argv[0], path=environ.get("PATH")) is None:
        raise RecorderError(f"command not found: {argv[0]}", "check the command after --")
    spoken = understand([wanted.known_as or argv[0], *argv[1:]], wanted.dialect)
    upstream = _upstream(spoken, wanted.provider, environ)
    provider = spoken.provider if upstream else None
    if wanted.at_terminal:
        require_terminal()
    tracks = (terminal_tracks if wanted.at_terminal else recorded_tracks)(spoken, provider)
    lacks = ("what the agent showed at the terminal",) if wanted.at_terminal else ()
    agent = agent_info(spoken.agent, None)
    doors = [wanted.provider.door] if wanted.provider else []
    sealer = Sealer(plan(target, wanted, environ, agent, tracks, doors, lacks))
    begin = _attended if wanted.at_terminal else _run
    run = begin(argv, sealer, spoken, upstream, environ)
    try:
        yield sealer, run
    finally:
        run.close()
        sealer.close()


async def _run(
    argv: Sequence[str],
    sealer: Sealer,
    spoken: Spoken,
    upstream: Upstream | None,
    environ: Mapping[str, str],
) -> ExitStatus:
    session = Session(sealer)
    since = time.time()

    def started() -> None:
        if spoken.starts_run:
            session.fact(HOST, "message", {"via": "argv"})

    async with _provider(session, spoken, upstream, environ) as env:
        sealer.wait_until_open()  # it started while the proxy did
        status = await tee(argv, session, track=AGENT, env=env, started=started)
    if (kept := KEPT.get(spoken.agent)) is not None:
        kept.tell(session, env, since, last_rows)
    session.fact(HOST, "unreconciled", {})  # that was all anybody here can know
    return status


async def _attended(
    argv: Sequence[str],
    sealer: Sealer,
    spoken: Spoken,
    upstream: Upstream | None,
    environ: Mapping[str, str],
) -> ExitStatus:
    session = Session(sealer)
    since = time.time()
    async with _provider(session, spoken, upstream, environ) as env:
        sealer.wait_until_open()
        status = await beside(argv, env)
    if (kept := KEPT.get(spoken.agent)) is not None:
        kept.tell(session, env, since, kept_rows)
    return status


@contextlib.asynccontextmanager
async def _provider(
    session: Session, spoken: Spoken, upstream: Upstream | None, environ: Mapping[str, str]
) -> AsyncIterator[Mapping[str, str]]:
    """The command's environment, with a recording proxy behind it if there is an upstream."""
    if upstream is None or spoken.base_url is None:
        yield environ
        return
    async with proxy([upstream], session) as urls:
        yield {**environ, spoken.base_url: urls[upstream.track], **direct(environ)}


def direct(environ: Mapping[str, str]) -> dict[str, str]:
    """Loopback is not to be reached through a proxy that the environment names."""
    named = [n for n in environ if n.lower() in ("http_proxy", "https_proxy", "all_proxy")]
    if not named:
        return {}
    before = environ.get("NO_PROXY") or environ.get("no_proxy")
    after = f"{before},127.0.0.1" if before else "127.0.0.1"
    return {"NO_PROXY": after, "no_proxy": after}


def _upstream(
    spoken: Spoken, provider: Provider | None, environ: Mapping[str, str]
) -> Upstream | None:
    if provider is None:
        return None
    if spoken.base_url is None:
        if provider.url is not None:
            raise RecorderError(
                f"cannot tell {spoken.agent} where its provider is",
                "run turnreel proxy and set the agent's base URL yourself",
            )
        return None
    url = provider.url or environ.get(spoken.base_url)
    return Upstream(PROVIDER, url, provider.door) if url else None
