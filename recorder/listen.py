"""``proxy``: record whatever clients ask of a provider, until told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import secrets
import signal
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path

from turnreel.adapters import registry
from turnreel.cassettes import AgentInfo, Existing, Origin, TrackSpec
from turnreel.sanitizers import Profile

from .agents import NO_DIALECT, require_policy
from .doors import Door
from .errors import RecorderError
from .knowledge import known_secrets
from .messages import Plan, Sealed
from .project_policy import ProjectPolicy
from .proxy import Upstream, proxy
from .sealer import Sealer
from .session import Session
from .tracks import PROVIDER

STOPPED_BY = (signal.SIGINT, signal.SIGTERM)

Work = Callable[[str, asyncio.Event], Coroutine[None, None, None]]
"""What is done with a base URL, and the event that says to stop."""


def record_requests(
    url: str,
    folder: Path,
    *,
    ready: Callable[[str, Path], None],
    dialect: str = "anthropic-messages",
    profile: Profile = "strict",
    door: Door | None = None,
    policy: ProjectPolicy | None = None,
) -> Sealed:
    """Relay requests to `url` and record them until SIGINT or SIGTERM.

    One run is one cassette in `folder`, which holds every exchange of every client on one clock;
    it is named after the dialect and numbered, and is not kept if nobody asked anything. `ready`
    is called with the base URL for clients and the cassette's path once requests are taken. What
    is open at the signal may still end for a moment, then it is cut. Clients come in by `door`.

    Call from the main thread.
    Raises `RecorderError`: not a base URL, port in use, extra missing, folder not writable.
    """
    _require_provider(dialect)
    target = _target(folder, dialect)

    async def wait(base: str, stopped: asyncio.Event) -> None:
        ready(base, target)
        await stopped.wait()

    return record_while(
        wait, url, target, dialect=dialect, profile=profile, door=door, policy=policy
    )


def record_while(
    work: Work,
    url: str,
    target: Path,
    *,
    dialect: str,
    profile: Profile = "strict",
    existing: Existing = Existing.REFUSE,
    door: Door | None = None,
    policy: ProjectPolicy | None = None,
) -> Sealed:
    """Relay requests to `url`, and record them to `target`, while `work` does what it does with the
    base URL that it is given, until it is done or sees that SIGINT or SIGTERM has come. What is
    open then may still end for a moment, then it is cut.

    Call from the main thread.
    Raises `RecorderError` as `record_requests` does, and whatever `work` raises.
    """
    _require_provider(dialect)
    sealer = Sealer(
        Plan(
            target=str(target),
            replaces=existing is Existing.REPLACE,
            agent=AgentInfo("client"),
            tracks=(TrackSpec(id=PROVIDER, carrier="http", dialect=dialect),),
            profile=profile,
            origin=Origin(kind="recorded", name=secrets.token_hex(8)),
            known=known_secrets(os.environ, door.token if door else None),
            policy=policy or ProjectPolicy(),
        )
    )
    try:
        asyncio.run(_relayed(work, Upstream(PROVIDER, url, door or Door()), sealer))
        return sealer.finish()
    finally:
        sealer.close()


async def _relayed(work: Work, upstream: Upstream, sealer: Sealer) -> None:
    with stop_signals() as stopped:
        async with proxy([upstream], Session(sealer)) as urls:
            sealer.wait_until_open()
            await work(urls[upstream.track], stopped)


def _require_provider(dialect: str) -> None:
    require_policy(dialect)
    if dialect == NO_DIALECT or registry.adapter(dialect).info.carrier != "http":
        raise RecorderError(
            f"{dialect} is not what a provider speaks over http", "see turnreel adapters"
        )


def _target(folder: Path, dialect: str) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecorderError(
            f"{folder}: {(error.strerror or 'cannot be made').lower()}",
            "choose a folder that can be written",
        ) from None
    return _free_name(folder, dialect)


@contextlib.contextmanager
def stop_signals() -> Iterator[asyncio.Event]:
    """An event on the running loop that SIGINT and SIGTERM set while inside."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in STOPPED_BY:
        loop.add_signal_handler(number, stopped.set)
    try:
        yield stopped
    finally:
        for number in STOPPED_BY:
            loop.remove_signal_handler(number)


def _free_name(folder: Path, dialect: str) -> Path:
    names = (folder / f"{dialect}-{number:03}.cassette.jsonl" for number in itertools.count(1))
    return next(name for name in names if not name.exists())
