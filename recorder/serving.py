"""``record --agent-url``: an agent behind HTTP, listened to through a proxy before its server.

The hosts of the agent are pointed at the proxy; what they ask and are answered becomes a track a
surface, beside it what they did on the host's. The agent's own provider can be listened to as well.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec

from turnreel.adapters.translator import EDGE_DIALECT
from turnreel.cassettes import TrackSpec
from turnreel.cassettes.header import AgentInfo

from . import surfaces
from .agents import AGENTS, agent_info
from .doors import Door
from .errors import RecorderError
from .exits import ExitStatus
from .listen import stop_signals
from .proxy import Upstream, proxy
from .record import Recording, Wanted, direct, plan, recorded
from .sealer import Sealer
from .session import Session
from .sorting import Sorter
from .terminal import beside
from .tracks import HOST, PROVIDER

URL_VARIABLE: Final = "TURNREEL_AGENT_URL"
"""Where the command finds the base URL of its agent."""

_SERVER: Final = "server"
_PATIENCE_SECONDS: Final = 2.0
_HEALTH_BYTES: Final = 1 << 16

Ready = Callable[[Mapping[str, str]], None]
"""Called once requests are taken, with the variables that say where."""


class Server(msgspec.Struct, frozen=True, kw_only=True):
    """An agent's server at the base URL `url`. Its hosts come in by `door`."""

    url: str
    door: Door = Door()


def record_server(
    server: Server,
    target: Path,
    wanted: Wanted,
    *,
    ready: Ready,
    argv: Sequence[str] = (),
    environ: Mapping[str, str] | None = None,
) -> Recording:
    """Relay what is asked of `server` and record it to `target` until the command `argv` ended, or
    without one until SIGINT or SIGTERM.

    The command, a host or the server itself, has our standard streams, of which nothing is
    recorded, and the same variables as `ready`: `URL_VARIABLE`, and the one by which the agent
    finds its provider, if `wanted` says where that is. Requests that belong to no surface pass and
    are not recorded. Call from the main thread. Raises `RecorderError` before anything was started:
    command not found, not a base URL, target exists, port in use, extra missing.
    """
    environ = dict(os.environ if environ is None else environ)
    if argv and shutil.which(argv[0], path=environ.get("PATH")) is None:
        raise RecorderError(f"command not found: {argv[0]}", "check the command after --")
    upstreams = _upstreams(server, wanted)
    asked = plan(
        target, wanted, environ,
        agent=_agent(server), tracks=_tracks(upstreams), doors=[one.door for one in upstreams],
    )  # fmt: skip
    sealer = Sealer(asked)
    with contextlib.closing(sealer):
        status = asyncio.run(_serve(upstreams, sealer, ready, argv, environ))
        return recorded(status, sealer, wanted)


async def _serve(
    upstreams: Sequence[Upstream],
    sealer: Sealer,
    ready: Ready,
    argv: Sequence[str],
    environ: Mapping[str, str],
) -> ExitStatus:
    session = Session(sealer)
    sorter = Sorter(session, _SERVER)
    with stop_signals() if not argv else contextlib.nullcontext() as stopped:
        async with proxy(upstreams, sorter) as urls:
            sealer.wait_until_open()
            places = {_variable(track): url for track, url in urls.items()}
            ready(places)
            if stopped is None:
                status = await beside(argv, {**environ, **places, **direct(environ)})
            else:
                await stopped.wait()
                status = ExitStatus(code=0)
    sorter.finish()
    return status


def _upstreams(server: Server, wanted: Wanted) -> list[Upstream]:
    upstreams = [Upstream(_SERVER, server.url, server.door)]
    if wanted.provider is not None and wanted.provider.url is not None:
        upstreams.append(Upstream(PROVIDER, wanted.provider.url, wanted.provider.door))
    return upstreams


def _tracks(upstreams: Sequence[Upstream]) -> tuple[TrackSpec, ...]:
    spoken = AGENTS[surfaces.AGENT].provider
    provider = TrackSpec(id=PROVIDER, carrier="http", dialect=spoken)
    heard = (provider,) if any(one.track == PROVIDER for one in upstreams) else ()
    return (
        *surfaces.surface_tracks(),
        *heard,
        TrackSpec(id=HOST, carrier="host", dialect=EDGE_DIALECT),
    )


def _variable(track: str) -> str:
    return URL_VARIABLE if track == _SERVER else AGENTS[surfaces.AGENT].base_url


def _agent(server: Server) -> AgentInfo:
    """The agent, with the version that its server tells if it is up already."""
    return agent_info(surfaces.AGENT, _version(server.url))


def _version(url: str) -> str | None:
    parts = urlsplit(url)
    connect = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    with contextlib.suppress(OSError, ValueError, http.client.HTTPException):
        connection = connect(parts.netloc, timeout=_PATIENCE_SECONDS)
        with contextlib.closing(connection):
            connection.request("GET", f"{parts.path.rstrip('/')}/health")
            told = json.loads(connection.getresponse().read(_HEALTH_BYTES))
            found = told.get("version") if isinstance(told, dict) else None
            return found if isinstance(found, str) else None
    return None
